/** Every gauge of the hub, which is read at each scrape, with its meaning. Other metrics are in `measured`. */
export const gauges = {
  corral_connections: 'Open connections to this node, of all kinds; bounded by CORRAL_MAX_CONNECTIONS.',
  corral_refused_connections:
    'Connections that were refused or closed since the start because there were too many.',
  corral_paced_requests:
    'Requests that had to wait or were refused since the start: without an account, see CORRAL_ANONYMOUS_REQUESTS_PER_SECOND, or of a user with many refused calls.',
  corral_connected_devices: 'Devices that are connected to this node.',
  corral_links: 'Connections of devices and command lines to this node.',
  corral_paced_calls:
    'Calls of devices and command lines that had to wait or were refused since the start, because their callers have many refused calls.',
  corral_live_streams: 'Open live views of consoles.',
  corral_terminals: 'Terminals on devices of this node.',
  corral_proxied_streams: 'Streams of browsers to web pages of devices.',
  corral_uploads: 'Uploads of assets that are running.',
  corral_downloads: 'Downloads of assets that are running.',
  corral_ready:
    'Whether this node may serve: 1 or 0. It has lost its lease, because the database does not answer it, or it stops.',
  corral_peer_failures:
    'How often this node could not reach another one since the start; devices that are connected there are not reached from here meanwhile.',
  corral_nats_connected: 'Whether this node is connected to NATS: 1 or 0; absent without NATS.',
  corral_hints_published: 'Messages that this node sent to other nodes since the start.',
  corral_hints_received: 'Messages of other nodes that it received.',
  corral_hints_dropped:
    'Messages of nodes that could not be sent or kept; what they were about is found in the database.',
  corral_hints_refused:
    'Messages that are no hints of a node of this Corral: unsigned, forged, sent again, too old, or of a version that this release does not read.',
  corral_job_database_connections: 'Connections of the job queue to the database.',
} as const;

/** Gauges with a label, about what is in the database: every node answers the same. They are absent while the database does not answer. */
export const sharedGauges = {
  corral_damaged_assets: {
    label: 'status',
    help: 'Assets whose stored bytes are missing (Missing) or damaged (Mismatched), or could not be checked last (Error). Every node answers the same, so take the maximum.',
  },
  corral_failing_jobs: {
    // Prometheus itself sets a label `job`.
    label: 'type',
    help: 'Background jobs by type: 1 if the newest one that has ended failed, and 0 otherwise. Every node answers the same, so take the maximum.',
  },
  corral_waiting_emails: {
    label: 'state',
    help: 'E-mails that wait to be sent: those that were not tried yet (New), and those that the mail server did not take (Retrying). Every node answers the same, so take the maximum.',
  },
} as const;

/** The name of a gauge that all nodes share. */
export type SharedGaugeName = keyof typeof sharedGauges;

/** The name of a gauge. */
export type GaugeName = keyof typeof gauges;

/** What the hub counts and times itself, with its labels. */
export const measured = {
  corral_action_seconds: {
    kind: 'histogram',
    help: 'Actions by name and outcome (Ok, or the kind of the error), and how many seconds they took.',
    labels: ['action', 'outcome'],
  },
  corral_http_requests_total: {
    kind: 'counter',
    help: 'HTTP requests by method, route and status.',
    labels: ['method', 'route', 'status'],
  },
} as const;

/** The text of docs/metrics.md. */
export function metricsReference(): string {
  const row = (name: string, kind: string, labels: readonly string[], help: string): string =>
    `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`;
  return [
    '# Metrics\n',
    '<!-- Generated from hub/src/entry/http/metric-catalogue.ts; change it there. -->\n',
    'Each node answers `/metrics` in the format of Prometheus, to the addresses in `CORRAL_METRICS_FROM`. Unless its meaning says otherwise, a value is that of the node that',
    'answers, so sum them over all nodes. [Administration](administration.md) says what to alert on.\n',
    '| metric | kind | labels | meaning |',
    '| --- | --- | --- | --- |',
    ...Object.entries(measured).map(([name, { kind, labels, help }]) => row(name, kind, labels, help)),
    ...Object.entries(gauges).map(([name, help]) => row(name, 'gauge', [], help)),
    ...Object.entries(sharedGauges).map(([name, { label, help }]) => row(name, 'gauge', [label], help)),
    '\nThe process itself is described by the usual metrics of Node.js: `process_cpu_seconds_total`, `process_resident_memory_bytes`, `process_open_fds`,',
    '`process_max_fds`, `process_start_time_seconds`, and `nodejs_…` for the heap, garbage collection and the delay of the event loop.\n',
  ].join('\n');
}
