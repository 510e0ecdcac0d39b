import { isRecordingUrl, type RecordingGrant, recordingUrlKeyPurpose } from '../../../auth/recording-url.ts';
import type { Internal } from '../../../calls/handler.ts';
import { existingInstanceKey } from '../../instance/index.ts';

/** Whether the hub has signed the URL of a recording for whoever presents it, and it has not expired. */
export const CheckRecordingUrl: Internal<
  { readonly grant: RecordingGrant; readonly signature: string },
  boolean
> = {
  name: 'terminals_CheckRecordingUrl',
  isQuery: true,
  async run({ tx, vault, now, input: { grant, signature } }) {
    const key = await existingInstanceKey({ tx, vault }, recordingUrlKeyPurpose);
    return key !== undefined && isRecordingUrl(key, grant, signature, now);
  },
};
