/** What a server is started for. */
export interface ServerUse {
  /** 60 by default, which is enough for one hub. */
  readonly maxConnections?: number | undefined;
  /** Whether one transaction fills an empty database. Tables that it makes are flushed when it commits, instead of being written to the log as well. */
  readonly isForLoading?: boolean | undefined;
}

const loading: Readonly<Record<string, string>> = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  checkpoint_timeout: '1h',
};

/**
 * The server's settings, passed on the command line so that they always match this hub's version: only a Unix socket, durable commits,
 * sized for a small hub on two cores, and no user data in the log.
 */
export function serverArguments(
  clusterFolder: string,
  socketFolder: string,
  { maxConnections = 60, isForLoading = false }: ServerUse,
): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    cluster_name: 'corral',

    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_sync_retry: 'off',
    restart_after_crash: 'on',

    max_connections: String(maxConnections),
    shared_buffers: '128MB',
    effective_cache_size: '512MB',
    random_page_cost: '1.1',
    wal_compression: 'on',
    jit: 'off',
    // Queries are short. A parallel query would use the hub's core, and containers often have too little shared memory for it.
    max_parallel_workers_per_gather: '0',

    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_checkpoints: 'off',
    // Statements and rows that violate a constraint may contain secrets, so they are not logged.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length_on_error: '0',
    ...(isForLoading ? loading : {}),
  };
  return [
    '-D',
    clusterFolder,
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ];
}
