#!/bin/sh
# Makes the seeds of all targets in fuzz/seeds, from small files of the tests and tiny runs of the command.
# From the top of the repository: BGCN=target/debug/bgcn fuzz/make_seeds.sh
set -eu
top=$(pwd) bgcn=$(realpath "${BGCN:-target/debug/bgcn}") seeds=$(pwd)/fuzz/seeds
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
export BGCN_CPU=portable

# join OUT FILE…: the files of one input; one that is not there is empty.
join() {
    out=$1
    shift
    : > "$out"
    first=yes
    for file in "$@"; do
        [ "$first" ] || printf '\n====\n' >> "$out"
        first=
        [ ! -f "$file" ] || cat "$file" >> "$out"
    done
}

rm -rf "$seeds"
mkdir -p "$seeds"/npz "$seeds"/pickle "$seeds"/file "$seeds"/run "$seeds"/model "$seeds"/log
corpus=$top/crates/bgcn-files/tests/corpus
cp "$top"/crates/bgcn-files/tests/golden/readers/*.npz "$seeds"/npz/
for protocol in python2 protocol2 protocol4; do
    for part in graph x y; do
        cp "$top/crates/bgcn-files/tests/golden/readers/$protocol/ind.tiny.$part" "$seeds/pickle/$protocol.$part"
    done
done
for name in gexf-networkx graphml-networkx graphml-igraph json-edges json-multigraph mtx-pattern-symmetric \
    mtx-real-general gml snap-txt-gz utf16-big-endian semicolons networkx-adjlist quoted-commas scipy-npz-coo; do
    file=$(find "$corpus/$name" -type f | sort | head -n 1)
    [ "$(wc -c < "$file")" -gt 3000 ] || cp "$file" "$seeds/file/$name"
done
cd "$work"
printf 'source,target\na,b\nb,c\nc,a\nc,d\nd,e\ne,f\nf,d\n' > edges.csv
printf 'node,x,y,class\na,1,0,one\nb,2,0,one\nc,3,0.5,one\nd,0,2,two\ne,0,3,two\nf,1,4,two\n' > nodes.csv
printf 'node,set\na,train\nd,train\nb,validation\ne,validation\nc,test\nf,test\n' > split.csv
mkdir tiny club
cp edges.csv nodes.csv split.csv tiny/
cp edges.csv club/
printf 'node,label\na,one\nb,one\nd,two\ne,two\n' > club/labels.csv
join "$seeds/file/tables" edges.csv nodes.csv '' '' split.csv
join "$seeds/file/labels" edges.csv '' '' club/labels.csv ''
for packed in 'gzip -9' 'zstd -19'; do
    if command -v "${packed% *}" > /dev/null; then $packed -c edges.csv > "$seeds/file/edges.${packed% *}"; fi
done

short='--quiet --no-baseline --split all --epochs 3 --set network.hidden=2'
few='--set schedule.draws=2 --set schedule.averaged=1'
for model in observed mmsbm copying sbm; do
    [ $model = observed ] && draws= || draws=$few
    $bgcn fit club $short $draws --graph-model $model --out run-$model > /dev/null
    set --
    for file in run.toml run.safetensors model.safetensors graph-model.json graph-model.safetensors; do
        set -- "$@" run-$model/$file
    done
    sed -i "s|$work|/data|" run-$model/run.toml
    join "$seeds/run/$model" "$@"
done
$bgcn fit tiny $short $few --graph-model copying --out with-features > /dev/null
cp with-features/model.safetensors "$seeds/model/features"
$bgcn fit karate $short $few --graph-model mmsbm --out run > /dev/null
cp run/model.safetensors "$seeds/model/identity"
for model in mmsbm mmsb sbm dcsbm copying; do
    $bgcn graph fit karate --quiet --graph-model $model --out model-$model > /dev/null
    join "$seeds/model/$model" model-$model/graph-model.json model-$model/graph-model.safetensors
done
$bgcn reproduce karate --quiet --runs 1 --methods gcn,gcn+copying --labels-per-class 2 --out log > /dev/null
join "$seeds/log/karate" log/settings.jsonl log/trials.jsonl
find "$seeds" -type f -size +40k -print
du -sh "$seeds"
