import {
  readRecordingUrl,
  recordingUrlKeyPurpose,
  type RecordingGrant,
} from '../../../auth/recording-url.ts';
import type { Internal } from '../../../calls/handler.ts';
import { existingInstanceKey } from '../../instance/index.ts';

/** The grant of the URL of a recording; undefined where the hub has not signed it, or it has expired. */
export const CheckRecordingUrl: Internal<
  { readonly sessionId: string; readonly query: URLSearchParams },
  RecordingGrant | undefined
> = {
  name: 'terminals_CheckRecordingUrl',
  isQuery: true,
  async run({ tx, vault, now, input: { sessionId, query } }) {
    const key = await existingInstanceKey({ tx, vault }, recordingUrlKeyPurpose);
    return key && readRecordingUrl(key, sessionId, query, now);
  },
};
