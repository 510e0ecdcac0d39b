import { ids } from '@corral/contract';
import { type FileGrant, fileUrlKeyPurpose, readFileUrl } from '../../../auth/file-url.ts';
import type { Internal } from '../../../calls/handler.ts';
import { existingInstanceKey } from '../../instance/index.ts';
import { mayTransferFiles } from '../sql/rights.ts';

/** The grant of the URL of a file; undefined where the hub has not signed it, it has expired, or whoever asked for it may not use it any more. */
export const CheckFileUrl: Internal<{ readonly query: URLSearchParams }, FileGrant | undefined> = {
  name: 'terminals_CheckFileUrl',
  isQuery: true,
  async run({ tx, vault, now, input: { query } }) {
    const key = await existingInstanceKey({ tx, vault }, fileUrlKeyPurpose);
    const grant = key && readFileUrl(key, query, now);
    if (grant === undefined) return undefined;
    const mayGoOn = await mayTransferFiles(tx, grant.holder, ids.device.raw(grant.deviceId), now);
    return mayGoOn ? grant : undefined;
  },
};
