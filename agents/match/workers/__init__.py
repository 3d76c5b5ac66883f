"""Workers that play games: threads or processes of one machine, or a Dask cluster."""
