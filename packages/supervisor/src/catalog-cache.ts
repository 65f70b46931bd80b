/** Catalogs a thread keeps by hash, oldest out first; a gateway rarely has more in use at once. Host and thread count alike. */
export const maxCatalogsPerThread = 16;
