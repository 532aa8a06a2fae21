"""What was run, on disk: one folder per model x benchmark x variant, append-only JSON lines while running, Parquet after."""
