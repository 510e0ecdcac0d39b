import { join } from 'node:path';

interface NginxOptions {
  /** An existing folder for the process id and temporary files. */
  readonly folder: string;
  /** The directives of the `http` block. */
  readonly http: string;
  readonly logLevel: 'notice' | 'warn';
  readonly maxConnections: number;
}

const temporaryFiles = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** A configuration of nginx that runs in the foreground with one worker and writes only below its folder, errors to stderr. */
export function nginxConfiguration({ folder, http, logLevel, maxConnections }: NginxOptions): string {
  const paths = temporaryFiles.map((kind) => `${kind}_temp_path ${join(folder, kind)};`);
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
error_log stderr ${logLevel};
events { worker_connections ${maxConnections}; }
http {
  access_log off;
  ${paths.join(' ')}
${http}
}
`;
}
