import { z } from 'zod';
import { command, query } from '../define.ts';
import { deviceEventSeverity, otlpStream } from '../enums.ts';
import { ids } from '../ids.ts';
import { empty, mapOf, someOf, text, textUpTo, timestamp, uint64 } from '../scalars.ts';

const ofProject = z.object({ projectId: ids.project.schema });
const maxStreams = 10;

const otlpConfig = z.object({
  enabled: z.boolean(),
  /** The whole URL for logs, such as https://collector.example:4318/v1/logs. */
  endpoint: textUpTo(2_048).optional(),
  /** Sent with each request. Values are secrets: they are read as `***`, and one that is set to `***` stays. */
  headers: mapOf(text),
  /** What is exported; by default the events of devices. */
  streams: someOf(otlpStream, maxStreams).optional(),
  /** The least severity of what is exported; by default the lowest. */
  minSeverity: deviceEventSeverity.optional(),
  /** A filter of events; it applies to the events of devices alone. */
  filter: textUpTo(1_000).optional(),
});

/** The export of what happens in a project to a collector of OpenTelemetry, as logs over OTLP/HTTP. */
export const otlpActions = {
  projects_GetOtlpConfig: query({
    doc: 'Returns where what happens in a project is exported to over OTLP, with masked header values, for its owners.',
    reads: ['otlp'],
    input: ofProject,
    output: z.object({ config: otlpConfig }),
  }),
  projects_SetOtlpConfig: command({
    doc: 'Sets where what happens in a project from now on is exported to over OTLP; a header with the value *** keeps its value.',
    input: z.object({ projectId: ids.project.schema, config: otlpConfig }),
    output: empty,
  }),
  projects_GetOtlpStatus: query({
    doc: 'Returns how the export of a project over OTLP stands, by stream, for its owners.',
    reads: ['otlp'],
    input: ofProject,
    output: z.object({
      streams: z.array(
        z.object({
          stream: otlpStream,
          /** For how long the oldest record waits that is not sent yet. */
          lagSecs: uint64,
          /** Records that the collector has accepted. */
          sent: uint64,
          /** Records that were given up, the oldest first, because too many waited or for longer than a day. */
          dropped: uint64,
          /** Records that the collector refused for good. */
          setAside: uint64,
          lastSentAt: timestamp.optional(),
          /** A sentence. */
          lastError: text.optional(),
          lastErrorAt: timestamp.optional(),
          /** While it fails: when it is tried again. */
          nextAttemptAt: timestamp.optional(),
        }),
      ),
    }),
  }),
  projects_SendOtlpTestEvent: command({
    doc: 'Sends a record that nothing made to the collector of a project at once, and says how it answered.',
    input: ofProject,
    output: z.object({ isAccepted: z.boolean(), message: text }),
  }),
} as const;
