/*
 * Lets only the owner and the group read the files that the service, the commands and the first start create: databases and the search index
 * have addresses and key hashes. The systemd unit sets the same.
 */
process.umask(process.umask() | 0o027);
