import {
  array,
  bigint,
  fallback,
  type InferOutput,
  integer,
  literal,
  maxValue,
  minValue,
  number,
  object,
  optional,
  pipe,
  safeParse,
  string,
  transform,
  union,
} from 'valibot';

/** The properties in which agents report their system: that of our agent, and that of other vendors' agents. */
const systemInfoNames = ['dev.nexigon.systemInfo', 'dev.nexigon.system.info'] as const;

// Written by agents of any version: a malformed field counts as missing, and the rest still shows.
const text = fallback(optional(string()), undefined);

// The rounding of sizes does not show; that of a file system on the network may be beyond 2^53 bytes.
const bytes = union([number(), pipe(bigint(), transform(Number))]);

const disk = object({
  name: fallback(string(), ''),
  filesystem: text,
  mountPoint: text,
  totalSpace: bytes,
  availableSpace: bytes,
});

const network = object({
  name: fallback(string(), ''),
  macAddress: text,
  ipAddresses: fallback(array(string()), []),
});

const webPage = object({
  protocol: literal('http'),
  name: string(),
  port: pipe(number(), integer(), minValue(1), maxValue(65_535)),
  path: text,
});

const schema = object({
  name: text,
  version: text,
  kernel: text,
  hostname: text,
  arch: text,
  memory: fallback(optional(object({ total: bytes })), undefined),
  networks: fallback(array(network), []),
  disks: fallback(array(disk), []),
  /** The web pages that the device offers. */
  exports: fallback(array(webPage), []),
});

/** The system information of a device; sizes in bytes. */
export type SystemInfo = InferOutput<typeof schema>;

/** Parses the value of the property; undefined if it is not an object. */
export function parseSystemInfo(value: unknown): SystemInfo | undefined {
  const { success, output } = safeParse(schema, value);
  return success ? output : undefined;
}

/** The newest readable property with system information; undefined if there is none. */
export function newestSystemInfo<Property extends { name: string; value: unknown; lastUpdated: string }>(
  properties: Readonly<Record<string, Property>>,
): { property: Property; info: SystemInfo } | undefined {
  const readable = systemInfoNames.flatMap((name) => {
    const property = properties[name];
    const info = parseSystemInfo(property?.value);
    return property === undefined || info === undefined ? [] : [{ property, info }];
  });
  const age = ({ property }: { property: Property }) => Date.parse(property.lastUpdated);
  return readable.toSorted((one, other) => age(other) - age(one))[0];
}
