"""What is evolved: how genomes begin, vary and become players."""
