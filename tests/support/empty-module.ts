// Stands in for the package server-only wherever no React server is.
export {}
