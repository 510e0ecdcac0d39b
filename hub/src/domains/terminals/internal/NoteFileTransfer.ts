import { ids } from '@corral/contract';
import type { FileGrant } from '../../../auth/file-url.ts';
import type { Internal } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';

/** Records that a file of a device is being fetched, or was put; size and digest are null where its parts alone were asked for. */
export const NoteFileTransfer: Internal<
  {
    readonly grant: FileGrant;
    readonly sizeBytes: number | null;
    readonly digest: string | null;
  },
  void
> = {
  name: 'terminals_NoteFileTransfer',
  async run({ tx, emit, input: { grant, sizeBytes, digest } }) {
    const { deviceId, path, access, actor } = grant;
    const row = await tx
      .selectFrom('devices')
      .select('project_id')
      .where('device_id', '=', ids.device.raw(deviceId))
      .executeTakeFirst();
    if (row === undefined) throw notFound('Device');
    const projectId = ids.project.of(row.project_id);
    emit('devices_FileTransferred', { projectId, deviceId, path, access, sizeBytes, digest }, actor);
  },
};
