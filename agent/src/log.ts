import { pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** The agent's log; it must contain no token and no fingerprint of a device. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** How the log is written: for people, or one JSON object a line. */
export type LogFormat = 'pretty' | 'json';

/** Opens the log on a stream, by default for people on a terminal and as JSON elsewhere. It writes synchronously, since a process may end at any time. */
export function openLog(format: LogFormat | undefined, stream: NodeJS.WriteStream): Log {
  const chosen = format ?? (stream.isTTY ? 'pretty' : 'json');
  return pino(
    {
      level: 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    chosen === 'json' ? stream : forPeople(stream),
  );
}

function forPeople(stream: NodeJS.WriteStream): DestinationStream {
  return pretty({
    destination: stream,
    colorize: stream.isTTY,
    translateTime: 'SYS:HH:MM:ss',
    hideObject: true,
  });
}
