"""Teams of programs as genomes."""
