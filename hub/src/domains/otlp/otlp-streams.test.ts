import { ids } from '@corral/contract';
import { expect, onTestFinished, test } from 'vitest';
import { deviceScene } from '../../../test/device-scene.ts';
import { connectedDevice, operationsOf } from '../../../test/operation-scene.ts';
import { playedCollector, textsOf, untilExportable, type LogRecord } from '../../../test/played-collector.ts';
import { seedProject } from '../../../test/seed.ts';
import { outgoingRule } from '../../config/outgoing-addresses.ts';
import { openOutgoing } from '../../platform/outgoing/open-outgoing.ts';
import { RecordChannelResult } from '../operations/internal/RecordChannelResult.ts';
import { UnregisterDeviceConnection } from '../devices/internal/UnregisterDeviceConnection.ts';
import { startOtlpExports } from './jobs/export-records.ts';

const scene = deviceScene();
const { hub, project, device } = scene;

/** Exports streams of the project; the returned function exports what waits, and returns what is new. */
async function exporting(streams: ('events' | 'audit' | 'operations' | 'connections')[]) {
  const { accepted, url } = await playedCollector();
  const { projectId } = project;
  await hub.as(project.owner, 'projects_SetOtlpConfig', {
    projectId,
    config: { enabled: true, endpoint: url, headers: {}, streams },
  });
  const outgoing = openOutgoing({ rule: outgoingRule([{ place: '127.0.0.1', port: undefined }]) });
  const exporter = startOtlpExports({
    executor: hub.executor,
    outgoing,
    log: { warn: (fields) => console.error(fields) },
  });
  onTestFinished(() => exporter.stop());
  return async () => {
    await untilExportable(hub);
    await exporter.exportDue();
    return accepted.splice(0);
  };
}

const attributesOf = (record: LogRecord | undefined) =>
  Object.fromEntries(record?.attributes.map(({ key, value }) => [key, value]) ?? []);

test('the audit log of the project is a stream, without that of others', async () => {
  const exported = await exporting(['audit']);
  const other = await seedProject(hub);
  await hub.as(other.owner, 'projects_SetName', { projectId: other.projectId, name: 'Other' });
  await hub.as(project.owner, 'projects_SetName', { projectId: project.projectId, name: 'Barns' });
  await hub.as(project.owner, 'devices_SetDeviceName', { deviceId: device.deviceId, name: 'Pump 1' });
  const records = await exported();
  expect(textsOf(records).toSorted()).toEqual([
    'devices_NameChanged',
    'projects_NameChanged',
    'projects_OtlpConfigChanged',
  ]);
  const renamed = records.find((record) => textsOf([record])[0] === 'projects_NameChanged');
  expect(JSON.stringify(attributesOf(renamed)['corral.data'])).toContain('Barns');
  expect(JSON.stringify(attributesOf(renamed)['corral.actor'])).toContain(
    (project.owner as { userId: string }).userId,
  );
  expect(await exported()).toEqual([]);
});

test('the beginning and the end of connections are a stream, also of those from before', async () => {
  const before = await connectedDevice(scene);
  const exported = await exporting(['connections']);
  await hub.run(UnregisterDeviceConnection, {
    connectionId: ids.deviceConnection.of(before),
    cause: 'Silent',
  });
  const ended = await exported();
  expect(textsOf(ended)).toEqual(['Disconnected']);
  expect(attributesOf(ended[0])).toMatchObject({
    'corral.connection.id': { stringValue: ids.deviceConnection.of(before) },
    'corral.connection.end_cause': { stringValue: 'Silent' },
  });
  const connectionId = await connectedDevice(scene);
  expect(textsOf(await exported())).toEqual(['Connected']);
  await hub.run(UnregisterDeviceConnection, { connectionId: ids.deviceConnection.of(connectionId) });
  expect(textsOf(await exported())).toEqual(['Disconnected']);
});

test('what happens in operations is a stream; a failed step has its error and the end of its log', async () => {
  const exported = await exporting(['operations']);
  const operations = operationsOf(scene);
  await connectedDevice(scene);
  const id = await operations.started([
    { kind: 'DeviceCommand', command: 'touch', input: null, timeoutSecs: 60 },
  ]);
  const log = Array.from({ length: 30 }, (_, line) => `line ${line}`);
  await hub.run(RecordChannelResult, {
    operationId: ids.deviceOperation.raw(id),
    stepIndex: 0,
    result: { status: 'Failed', error: 'exit status 3', log },
  });
  const records = await exported();
  expect(textsOf(records)).toEqual(expect.arrayContaining(['Started', 'Failed']));
  const failed = records.find((record) => textsOf([record])[0] === 'Failed');
  expect(failed).toMatchObject({ severityNumber: 17 });
  expect(attributesOf(failed)).toMatchObject({
    'corral.device_operation.id': { stringValue: id },
    'corral.step.error': { stringValue: 'exit status 3' },
    'corral.step.log': { arrayValue: { values: log.slice(-20).map((line) => ({ stringValue: line })) } },
  });
});
