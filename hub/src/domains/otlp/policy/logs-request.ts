import { ids, type DeviceEventSeverity, type OtlpStream, parseJsonWithBigInts } from '@corral/contract';
import type { ExportedRecord } from '../sql/exported-records.ts';

/** A value as the JSON of OTLP has it. */
type AnyValue =
  | Record<string, never>
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: AnyValue[] } }
  | { readonly kvlistValue: { readonly values: KeyValue[] } };

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

const severityNumbers: Readonly<Record<DeviceEventSeverity, number>> = {
  Trace: 1,
  Debug: 5,
  Info: 9,
  Warning: 13,
  Error: 17,
  Critical: 21,
};

/** A record without its place in the stream. */
export type LoggedRecord = Omit<ExportedRecord, 'position' | 'device' | 'receivedAt' | 'bytes' | 'fate'>;

/** The body of a request with records of a stream as OTLP/HTTP has it in JSON, by device. The id of the project is raw. */
export function logsRequest(projectId: string, stream: OtlpStream, records: readonly LoggedRecord[]): string {
  const groups = Map.groupBy(records, ({ deviceId }) => deviceId ?? '');
  return JSON.stringify({
    resourceLogs: Array.from(groups.values(), (ofDevice) => ({
      resource: { attributes: resourceOf(projectId, ofDevice[0]) },
      scopeLogs: [
        {
          scope: { name: `corral.${stream}` },
          logRecords: ofDevice.map((record) => logRecord(stream, record)),
        },
      ],
    })),
  });
}

function resourceOf(projectId: string, record: LoggedRecord | undefined): KeyValue[] {
  const deviceId = record?.deviceId ?? null;
  const name = record?.deviceName ?? null;
  return [
    ...(deviceId === null ? [] : [attribute('host.id', ids.device.of(deviceId))]),
    ...(name === null ? [] : [attribute('host.name', name)]),
    attribute('corral.project.id', ids.project.of(projectId)),
  ];
}

/** The id of a record by which a receiver knows one that comes again. */
const eventIds: Readonly<Record<OtlpStream, (rawId: string) => string>> = {
  events: ids.deviceEvent.of,
  audit: ids.auditEvent.of,
  operations: (rawId) => `operation_event_${rawId}`,
  connections: ids.deviceConnection.of,
};

function logRecord(stream: OtlpStream, record: LoggedRecord) {
  const { severity, category, body, attributes, emittedMicros, receivedMicros } = record;
  const named = parseJsonWithBigInts(attributes ?? '{}') as Record<string, unknown>;
  return {
    timeUnixNano: `${emittedMicros}000`,
    observedTimeUnixNano: `${receivedMicros}000`,
    severityNumber: severityNumbers[severity],
    severityText: severity,
    body: anyValue(parseJsonWithBigInts(body ?? 'null')),
    attributes: [
      ...Object.entries(named).map(([key, value]) => ({ key, value: anyValue(value) })),
      ...(category === null ? [] : [attribute('corral.event.category', category)]),
      attribute('corral.event.id', eventIds[stream](record.id)),
    ],
  };
}

const attribute = (key: string, value: string): KeyValue => ({ key, value: { stringValue: value } });

const [leastInt, mostInt] = [-(2n ** 63n), 2n ** 63n - 1n];

/** A value of JSON; integers keep their digits as far as 64 bits have them. */
function anyValue(value: unknown): AnyValue {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    case 'bigint':
      return value >= leastInt && value <= mostInt
        ? { intValue: String(value) }
        : { doubleValue: Number(value) };
    case 'number':
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if (value === null || value === undefined) return {};
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return {
    kvlistValue: { values: Object.entries(value).map(([key, item]) => ({ key, value: anyValue(item) })) },
  };
}
