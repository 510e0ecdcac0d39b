import { ActionError, fileCommands, ids, type Input } from '@corral/contract';
import { mustBePerson } from '../../../auth/actors.ts';
import { fileUrlKeyPurpose, signFilePath } from '../../../auth/file-url.ts';
import type { Handler } from '../../../calls/handler.ts';
import { instanceKey } from '../../instance/index.ts';
import { mustSeeDevice, type ProjectAccess } from '../../projects/index.ts';
import { holderOf } from '../policy/people.ts';
import { mustAllowFiles, mustBeReason, missingReason, readPolicy } from '../policy/terminal-policy.ts';
import { readCommandOffered } from '../sql/offered.ts';

/** Returns the URL of a file of a device; the audit log has who asked for it, and for what. */
export const IssueFileUrl: Handler<'devices_IssueFileUrl', ProjectAccess> = {
  authorize({ tx, actor, input }) {
    mustBePerson(actor);
    return mustSeeDevice(tx, actor, input.deviceId);
  },

  async run(context, { projectId, isOwner }) {
    const { tx, input, actor, origin, now, emit, origins } = context;
    const policy = await readPolicy(tx, projectId);
    mustAllowFiles(policy, { actor, isOwner });
    const reason = mustBeReason(input.reason, missingReason(policy));
    const file = fileOf(input);
    const command = fileCommands[file.access];
    const { isConnected, isOffered } = await readCommandOffered(
      tx,
      ids.device.raw(file.deviceId),
      command,
      now,
    );
    if (!isConnected) throw new ActionError('Invalid', 'The device is not connected.');
    if (!isOffered)
      throw new ActionError(
        'Invalid',
        `The device does not offer the command ${command}. Its owner adds it with "corral-agent kit add ${command}" and turns commands on.`,
      );
    const key = await instanceKey(context, fileUrlKeyPurpose);
    emit('devices_FileUrlIssued', {
      projectId: ids.project.of(projectId),
      ...file,
      ...(reason === undefined ? {} : { reason }),
    });
    const grant = { ...file, actor, holder: holderOf(actor, origin) };
    return { url: `${origins.console}${signFilePath(key, grant, now)}` };
  },
};

type Given = Input<'devices_IssueFileUrl'>;

/** What is fetched or put, as the device takes it. */
function fileOf({ deviceId, path, access, sizeBytes, digest }: Given) {
  if (!/^\/[^\p{Cc}"\\]+$/u.test(path))
    throw new ActionError(
      'Invalid',
      'The path of a file on a device begins with "/", and has no quote, backslash or control character.',
    );
  if (access === 'Read') return { deviceId, path, access };
  if (sizeBytes === undefined || digest === undefined)
    throw new ActionError('Invalid', 'Say the size and the digest of the file to put.');
  return { deviceId, path, access, sizeBytes: Number(sizeBytes), digest };
}
