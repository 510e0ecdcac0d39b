import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { ids } from '@corral/contract';
import { findOrBuildOtelCollector, freePort } from '@corral/tools';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { newDatedRawId } from '../../auth/random.ts';
import { freshExecutor } from '../../../test/fresh-executor.ts';
import { deviceActor, playedCollector, textsOf, untilExportable } from '../../../test/played-collector.ts';
import { seedDevice, seedProject } from '../../../test/seed.ts';
import { outgoingRule } from '../../config/outgoing-addresses.ts';
import { openOutgoing } from '../../platform/outgoing/open-outgoing.ts';
import { startOtlpExports } from './jobs/export-records.ts';

/** Runs a program until the process that holds the other end of standard input is gone, however it ends. */
const withThisProcess = '"$0" "$@" & cat >/dev/null; kill -9 $!; wait';
const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A collector of OpenTelemetry that sends what it receives to a URL; its own URL for logs. */
async function runCollector(program: string, sink: string): Promise<string> {
  const port = await freePort();
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: {
      otlp_http: {
        logs_endpoint: sink,
        encoding: 'json',
        compression: 'gzip',
        sending_queue: { enabled: false },
      },
    },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { logs: { receivers: ['otlp'], exporters: ['otlp_http'] } },
    },
  };
  const child = spawn('sh', ['-c', withThisProcess, program, '--config', `yaml:${JSON.stringify(config)}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  stops.push(async () => {
    child.stdin?.end();
    if (child.exitCode === null) await once(child, 'close');
  });
  await vi.waitFor(() => accepts(port), { timeout: 30_000, interval: 50 });
  return `http://127.0.0.1:${port}/v1/logs`;
}

async function accepts(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}

test('[needs Go] a collector of OpenTelemetry receives every record, and reads of it what was meant', async ({
  skip,
}) => {
  const program = findOrBuildOtelCollector();
  skip(program === undefined, 'Go 1.25 or newer is missing, or it cannot fetch the collector.');
  const hub = await freshExecutor();
  stops.push(async () => hub[Symbol.asyncDispose]());
  const { accepted, resources, url: sink } = await playedCollector();
  const endpoint = await runCollector(program!, sink);
  const project = await seedProject(hub);
  const { projectId } = project;
  const { deviceId } = await seedDevice(hub, project);
  await hub.as(project.owner, 'projects_SetOtlpConfig', {
    projectId,
    config: { enabled: true, endpoint, headers: { 'x-scope-orgid': 'barns' }, streams: ['events', 'audit'] },
  });
  const texts = Array.from({ length: 1_000 }, (_, index) => `event ${index}`);
  await hub.as(deviceActor(deviceId), 'devices_PublishDeviceEvents', {
    deviceId,
    events: texts.map((body, index) => ({
      eventId: ids.deviceEvent.of(newDatedRawId(hub.now())),
      severity: 'Warning' as const,
      category: 'engine',
      body,
      attributes: {
        index,
        nested: { list: [1, 'a', null, true, 2.5], none: {} },
        big: 9_007_199_254_740_991,
      },
      emittedAt: '2026-11-20T11:59:59.250001Z',
    })),
  });
  const outgoing = openOutgoing({ rule: outgoingRule([{ place: '127.0.0.1', port: undefined }]) });
  const exporter = startOtlpExports({
    executor: hub.executor,
    outgoing,
    log: { warn: (fields) => console.error(fields) },
  });
  onTestFinished(() => exporter.stop());
  await untilExportable(hub);
  await exporter.exportDue();
  const { streams } = await hub.as(project.owner, 'projects_GetOtlpStatus', { projectId });
  expect(streams).toMatchObject([
    { stream: 'events', sent: 1_000, setAside: 0 },
    { stream: 'audit', setAside: 0 },
  ]);
  expect(streams.map(({ lastError }) => lastError)).toEqual([undefined, undefined]);
  expect(textsOf(accepted.filter(({ severityNumber }) => severityNumber === 13)).toSorted()).toEqual(
    texts.toSorted(),
  );
  const first = accepted.find(({ body }) => (body as { stringValue: string }).stringValue === 'event 7');
  expect(first).toMatchObject({
    timeUnixNano: '1795175999250001000',
    severityText: 'Warning',
    attributes: expect.arrayContaining([
      { key: 'index', value: { intValue: '7' } },
      { key: 'big', value: { intValue: '9007199254740991' } },
      { key: 'corral.event.category', value: { stringValue: 'engine' } },
    ]) as unknown,
  });
  expect(JSON.stringify(resources)).toContain(`{"key":"host.id","value":{"stringValue":"${deviceId}"}}`);
  expect(textsOf(accepted)).toContain('projects_OtlpConfigChanged');
}, 600_000);
