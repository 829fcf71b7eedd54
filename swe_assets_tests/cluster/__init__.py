"""The product on several workers: Dask, an object store, Kubernetes' configuration."""
