import { expect, test } from 'vitest';
import { waitingReport } from './waiting-report.ts';

test('a pending certificate is logged once, then hourly; other reasons at every attempt', () => {
  let nowMs = 0;
  const lines: string[] = [];
  const report = waitingReport(
    () => 'AA:BB',
    { warn: (line: string) => void lines.push(line) } as never,
    () => nowMs,
  );
  const attempt = (failure: string | undefined, reason: string): void =>
    report({ delayMs: 2_400, failure, reason });
  const pending = 'The certificate of this device is pending: a member of its project must accept it first';
  for (; nowMs < 2.5 * 3_600_000; nowMs += 30_000) attempt('CertificatePending', pending);
  expect(lines).toEqual(Array(3).fill(expect.stringMatching(/^certificate pending: .* comparing AA:BB$/)));
  lines.length = 0;
  attempt(undefined, 'The hub is stopping');
  attempt(undefined, 'The hub is stopping');
  attempt('CertificatePending', pending);
  expect(lines).toEqual([
    'waiting 2 s before trying again, because the hub is stopping',
    'waiting 2 s before trying again, because the hub is stopping',
    expect.stringMatching(/^certificate pending/),
  ]);
});
