/** A platform that releases are made for. */
export interface Platform {
  /** As Node names it, such as `linux-x64`. */
  readonly name: string;
  readonly cpu: 'x64' | 'arm64';
  /** The architecture as Debian and container images name it. */
  readonly architecture: 'amd64' | 'arm64';
  /** PostgreSQL's programs for it: the artifact on Maven Central, and the SHA-256 of its file. */
  readonly postgres: { readonly artifact: string; readonly sha256: string };
}

/** The version of PostgreSQL in releases; its minor versions read each other's data, its major ones do not. */
export const postgresVersion = '18.6.0';

/** The libraries that come with its programs, as they name their versions, and their licences. */
export const postgresLibraries = [
  ['icu', '60.2', 'ICU'],
  ['liblzma', '5.2.2', 'public domain'],
  ['libxml2', '2.9.4', 'MIT'],
  ['openssl', '1.1.1', 'OpenSSL'],
  ['zlib', '1.2.11', 'Zlib'],
] as const;

const postgresOf = (classifier: string): string =>
  `io.zonky.test.postgres:embedded-postgres-binaries-${classifier}:${postgresVersion}`;

export const platforms: readonly Platform[] = [
  {
    name: 'linux-x64',
    cpu: 'x64',
    architecture: 'amd64',
    postgres: {
      artifact: postgresOf('linux-amd64'),
      sha256: '008ee189eaa7ca2b58bd01dd950291e638b998392cf982297acd4779ec898ac1',
    },
  },
  {
    name: 'linux-arm64',
    cpu: 'arm64',
    architecture: 'arm64',
    postgres: {
      artifact: postgresOf('linux-arm64v8'),
      sha256: '5f54e016723afa6213925a8acb939bac52944b1d348f65c7a20f0cd2928c31be',
    },
  },
];
