import { z } from 'zod';
import { command } from '../define.ts';
import { ids } from '../ids.ts';
import { empty, json, listOf, text, uint32 } from '../scalars.ts';

const operation = { deviceOperationId: ids.deviceOperation.schema, claimId: ids.deviceOperationClaim.schema };

/** Actions by which a device claims and reports steps of operations. This hub plans no operations. */
export const operationsActions = {
  devices_ClaimOperationWork: command({
    doc: 'Assigns the next steps of operations to a device; this hub plans no operations, so the list is always empty.',
    input: z.object({
      deviceId: ids.device.schema,
      limit: uint32.optional(),
      kinds: listOf(text, 100).optional(),
    }),
    output: z.object({
      work: z.array(
        z.object({
          ...operation,
          operationName: text,
          stepIndex: uint32,
          checkpoint: json.optional(),
          step: z.object({
            kind: z.literal('DeviceCommand'),
            command: text,
            input: json,
            timeoutSecs: uint32.optional(),
          }),
        }),
      ),
    }),
    audit: 'none',
  }),
  devices_ReportOperationStep: command({
    doc: 'Reports the outcome of a step that the device claimed; this hub assigns no steps, so every report is refused.',
    input: z.object({
      deviceId: ids.device.schema,
      ...operation,
      stepIndex: uint32,
      report: z.object({
        status: z.enum(['Succeeded', 'Failed']),
        output: json.optional(),
        error: text.optional(),
      }),
    }),
    output: empty,
    audit: 'none',
  }),
} as const;
