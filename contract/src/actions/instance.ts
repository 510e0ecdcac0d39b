import { z } from 'zod';
import { command, query } from '../define.ts';
import { empty, json, jsonMap, text, uint32 } from '../scalars.ts';

/** Actions on the instance. */
export const instanceActions = {
  instance_GetInstanceStatistics: query({
    doc: 'Counts the users, projects and devices of the instance; administrators only.',
    reads: ['users', 'projects', 'devices'],
    input: empty,
    output: z.object({ users: uint32, projects: uint32, devices: uint32 }),
  }),
  instance_GetInstanceSettingsRaw: query({
    doc: 'Returns the settings of the instance; administrators only.',
    reads: [],
    input: empty,
    output: z.object({ settings: jsonMap }),
  }),
  instance_SetInstanceSettingRaw: command({
    doc: 'Changes one setting of the instance; administrators only.',
    input: z.object({ key: text, value: json }),
    output: empty,
  }),
} as const;
