# The files that R writes, for make_corpus.py, which calls this with a folder of tables and the folder of the corpus.
# Made with R 4.2.2 and data.table 1.14.8.
arguments <- commandArgs(trailingOnly = TRUE)
given <- function(name) {
  read.csv(file.path(arguments[1], name), check.names = FALSE, colClasses = "character", na.strings = "<none>")
}
to <- function(case, file) file.path(arguments[2], case, file)
typed <- function(table) as.data.frame(lapply(table, type.convert, as.is = TRUE))

edges <- given("edges.csv")
labels <- given("labels.csv")
nodes <- typed(given("nodes.csv"))

write.table(edges, to("r-write-table-default", "edges.txt"))
write.table(labels, to("r-write-table-default", "labels.txt"))

write.csv(edges, to("r-write-csv-row-names", "edges.csv"))
write.csv(labels, to("r-write-csv-row-names", "labels.csv"))

write.csv(edges, to("r-write-csv", "edges.csv"), row.names = FALSE)
write.csv(labels, to("r-write-csv", "labels.csv"), row.names = FALSE)

write.table(edges, to("r-write-table-bare", "edges.tsv"), sep = "\t", quote = FALSE, row.names = FALSE, col.names = FALSE)

unknown <- labels
unknown$guild[c(2, 5, 9)] <- NA
write.csv(edges, to("r-labels-na", "edges.csv"), row.names = FALSE)
write.csv(unknown, to("r-labels-na", "labels.csv"), row.names = FALSE)

write.csv2(edges, to("r-write-csv2-nodes", "edges.csv"), row.names = FALSE)
write.csv2(nodes, to("r-write-csv2-nodes", "nodes.csv"), row.names = FALSE)

holes <- nodes
holes$weight_kg[3] <- NA
write.csv(edges, to("r-nodes-na", "edges.csv"), row.names = FALSE)
write.csv(holes, to("r-nodes-na", "nodes.csv"), row.names = FALSE)

data.table::fwrite(edges, to("r-fwrite", "edges.csv"))
data.table::fwrite(labels, to("r-fwrite", "labels.csv"))
