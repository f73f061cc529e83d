//! Pickles of real writers, and hostile ones.

use super::*;
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Result<Pickle<'_>, BadInput> {
    Pickle::read(Path::new("a.pickle"), bytes)
}

fn message(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

/// Every golden pickle, from every writer.
fn golden() -> Vec<Vec<u8>> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/readers");
    let mut all = Vec::new();
    for folder in ["python2", "protocol2", "protocol3", "protocol4", "protocol5"] {
        for part in ["x", "y", "graph"] {
            all.push(std::fs::read(top.join(folder).join(format!("ind.tiny.{part}"))).unwrap());
        }
    }
    all
}

/// Everything a caller may ask of a pickle.
fn use_it(bytes: &[u8]) {
    if let Ok(pickle) = read(bytes) {
        let _ = pickle.array().map(|array| (array.floats(), array.whole(), array.strings()));
        let _ = pickle.csr().map(|csr| (csr.features(), csr.entries()));
        let _ = pickle.adjacency();
        let _ = pickle.strings();
    }
}

#[test]
fn every_beginning_of_a_pickle_is_an_error() {
    for bytes in golden() {
        assert!(read(&bytes).is_ok());
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
        }
    }
}

#[test]
fn an_unknown_name_is_an_error_that_says_where_and_what_to_do() {
    assert_eq!(
        message(b"\x80\x02cos\nsystem\nU\x02ls\x85R."),
        "reading a.pickle, byte 2: the Python name os.system; allowed are numpy arrays of numbers or text, \
         scipy.sparse csr_matrix and collections.defaultdict(list). Download the file again, or write it with \
         pickle.dump(value, file, protocol=4)"
    );
    let stack_global = b"\x80\x04\x8c\x08builtins\x8c\x04eval\x93.";
    assert!(message(stack_global).contains("byte 18: the Python name builtins.eval"));
}

#[test]
fn an_unknown_opcode_is_an_error_that_names_it() {
    // PERSID, BINPERSID, INST, OBJ, EXT1, POP, DUP, INT, NEXT_BUFFER
    for op in *b"PQio\x8202I\x97" {
        let text = message(&[0x80, 2, op, 0, 0, b'.']);
        assert!(text.contains(&format!("byte 2: opcode 0x{op:02X}")), "{text}");
    }
}

#[test]
fn what_is_no_pickle_of_protocol_2_to_5_is_refused() {
    assert!(message(b"").contains("no pickle"));
    assert!(message(b"<!DOCTYPE html>").contains("no pickle"));
    assert!(message(b"(lp0\n.").contains("no pickle"));
    assert!(message(b"\x80\x06N.").contains("protocol 6"));
    assert!(message(b"\x80\x02N.N").contains("1 bytes"));
}

#[test]
fn lengths_and_memo_indices_beyond_the_file_are_refused_without_allocating() {
    for bytes in [
        &b"\x80\x02T\xff\xff\xff\x7f."[..],
        b"\x80\x04B\xff\xff\xff\xff.",
        b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\xff.",
        b"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xff.",
    ] {
        assert!(message(bytes).contains("bytes announced"));
    }
    assert!(message(b"\x80\x02Nr\xff\xff\xff\xff.").contains("memo index 4294967295"));
    assert!(message(b"\x80\x02h\x05.").contains("memo index 5, which holds nothing"));
}

#[test]
fn deep_nesting_and_lists_that_hold_themselves_are_only_data() {
    let mut nested = vec![0x80, 2];
    nested.extend(std::iter::repeat_n(b']', 500_000));
    nested.extend(std::iter::repeat_n(b'a', 499_999));
    nested.push(b'.');
    assert!(read(&nested).is_ok());
    let itself = b"\x80\x02]q\x00h\x00a.";
    assert!(read(itself).is_ok());
    use_it(itself);
}

#[test]
fn one_list_used_for_many_nodes_cannot_outgrow_the_file() {
    // {0: list, 1: list, …} with one remembered list of 200 zeros.
    let mut bytes = [&b"\x80\x02}(K\xff]q\x00("[..], &b"K\x00".repeat(200), b"e"].concat();
    for node in 0..200 {
        bytes.extend([b'K', node, b'h', 0]);
    }
    bytes.extend(b"u.");
    let text = read(&bytes).unwrap().adjacency().unwrap_err().to_string();
    assert!(text.contains("more than the file has bytes"), "{text}");
}

#[test]
fn one_text_decoded_many_times_cannot_outgrow_the_file() {
    let mut bytes =
        [&b"\x80\x02X\xc8\x00\x00\x00"[..], &[b'x'; 200], b"q\x00c_codecs\nencode\nq\x01X\x06\x00\x00\x00latin1q\x02"]
            .concat();
    for _ in 0..50 {
        bytes.extend(b"h\x01h\x00h\x02\x86R");
    }
    assert!(message(&bytes).contains("decoded at most twice"));
}

#[test]
fn one_name_repeated_cannot_outgrow_the_file() {
    let dtype = b"cnumpy\ndtype\nU\x02O8K\x00K\x01\x87R";
    let start = b"\x80\x02cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85U\x01b\x87R(K\x01K\x64\x85";
    let mut bytes = [&start[..], dtype, b"\x89](T\xc8\x00\x00\x00", &[b'x'; 200], b"q\x00"].concat();
    bytes.extend(b"h\x00".repeat(99));
    bytes.extend(b"etb.");
    let text = read(&bytes).unwrap().strings().unwrap_err().to_string();
    assert!(text.contains("names of more than"), "{text}");
}

#[test]
fn a_mark_protects_what_lies_below_it() {
    for bytes in
        [&b"\x80\x02](a."[..], b"\x80\x02N(\x85.", b"\x80\x02NN(R.", b"\x80\x02}(K\x01s.", b"\x80\x02}(K\x01u."]
    {
        assert!(read(bytes).is_err(), "{bytes:?}");
    }
}

#[test]
fn whole_numbers_of_all_lengths_arrive() {
    let int = |bytes: &[u8]| match read(bytes).unwrap().value {
        Value::Int(i) => i,
        other => panic!("{other:?} is no whole number"),
    };
    assert_eq!(int(b"\x80\x02K\xff."), 255);
    assert_eq!(int(b"\x80\x02M\xff\xff."), 65535);
    assert_eq!(int(b"\x80\x02J\xfe\xff\xff\xff."), -2);
    assert_eq!(int(b"\x80\x02\x8a\x00."), 0);
    assert_eq!(int(b"\x80\x02\x8a\x01\xff."), -1);
    assert_eq!(int(b"\x80\x02\x8a\x05\x00\x00\x00\x00\x01."), 1 << 32);
    assert!(message(b"\x80\x02\x8a\x09\x01\x01\x01\x01\x01\x01\x01\x01\x01.").contains("9 bytes"));
}

const OPCODES: &[u8] = b"N(K\x01]})taesuqh\x00\x85\x86\x87Rb\x81\x93\x94U\x01x.";

proptest! {
    #[test]
    fn damaged_pickles_never_panic(
        which in 0usize..15,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = golden().swap_remove(which);
        for (place, byte) in flips {
            let at = place.index(bytes.len());
            bytes[at] = byte;
        }
        use_it(&bytes);
    }

    #[test]
    fn random_programs_never_panic(ops in prop::collection::vec(prop::sample::select(OPCODES), 0..60)) {
        use_it(&[&[0x80, 4][..], &ops, b"."].concat());
    }
}
