import type { z } from 'zod';
import type { auditLogActionStatus, deviceEventSeverity, deviceStatus } from '../enums.ts';
import type { FilterField, FilterFields } from './fields.ts';

const text: FilterField = { kind: 'text' };
const flag: FilterField = { kind: 'flag' };
const duration: FilterField = { kind: 'duration' };
const time: FilterField = { kind: 'time' };
/** The values are written out, since the console reads filters without the library of the schemas. */
const choice = <Schema extends z.ZodType<string>>(choices: readonly z.infer<Schema>[]): FilterField => ({
  kind: 'choice',
  choices,
});

/** The fields of devices; the properties that the devices of a project have are further ones. */
export const deviceFields: FilterFields = {
  named: {
    id: text,
    name: text,
    hostname: text,
    connected: flag,
    status: choice<typeof deviceStatus>(['healthy', 'warning', 'error', 'offline']),
    offline: duration,
    uptime: duration,
    age: duration,
    cert: { kind: 'choice', choices: ['pending', 'active', 'rejected', 'revoked'] },
    certAge: duration,
    certEnds: duration,
    token: text,
    os: text,
    arch: text,
    kernel: text,
    agent: { kind: 'version' },
    node: text,
    flapping: flag,
    silent: flag,
    cmd: text,
    can: { kind: 'choice', choices: ['operations', 'commands', 'terminal'] },
    installed: text,
    op: text,
  },
  groups: ['system', 'label'],
};

/** The fields of events of devices. */
export const eventFields: FilterFields = {
  named: {
    severity: choice<typeof deviceEventSeverity>(['Trace', 'Debug', 'Info', 'Warning', 'Error', 'Critical']),
    category: text,
    emitted: time,
  },
};

/** The fields of events in a list of several devices. */
export const projectEventFields: FilterFields = { named: { ...eventFields.named, device: text } };

/** The fields of the entries of an audit log. */
export const logFields: FilterFields = { named: { event: text, actor: text, created: time } };

/** The fields of the commands in the log of the instance. */
export const commandFields: FilterFields = {
  named: {
    action: text,
    actor: text,
    status: choice<typeof auditLogActionStatus>(['Rejected', 'Panicked', 'Succeeded', 'Failed', 'Pending']),
    created: time,
  },
};
