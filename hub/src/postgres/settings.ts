/**
 * The server's settings, given on its command line so that they always belong to this hub's version: reachable through the socket
 * alone, durable to the last acknowledged commit, sized for a small hub on two cores, and quiet about people's data.
 */
export function serverArguments(clusterFolder: string, socketFolder: string): string[] {
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

    max_connections: '60',
    shared_buffers: '128MB',
    effective_cache_size: '512MB',
    random_page_cost: '1.1',
    wal_compression: 'on',
    jit: 'off',
    // Queries are short; a parallel one would take the hub's core, and containers give it too little shared memory.
    max_parallel_workers_per_gather: '0',

    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_checkpoints: 'off',
    // Neither statements nor the rows that a constraint refused belong in a log: they may hold secrets.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length_on_error: '0',
  };
  return [
    '-D',
    clusterFolder,
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ];
}
