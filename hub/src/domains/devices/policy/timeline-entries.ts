import { ids, type Json, type Output } from '@corral/contract';
import { durationText } from './duration-text.ts';
import { endSentence } from './end-sentence.ts';
import type { TimelineRow, TimelineSource } from '../sql/timeline.ts';

type Entry = Output<'devices_QueryTimeline'>['entries'][number];
type Kind = Entry['kind'];
type Told = Pick<Entry, 'title'> & Partial<Pick<Entry, 'detail' | 'link' | 'data'>>;

/** Which sources the entries of a kind come from. */
export const sourcesOfKind: Readonly<Record<Kind, readonly TimelineSource[]>> = {
  Connection: ['Created', 'Connected', 'Ended'],
  Refusal: ['Refused'],
  Certificate: ['Certificate'],
  Event: ['Event'],
  Property: ['Property'],
  Operation: ['Operation'],
  Alert: ['Fired', 'Resolved'],
  Action: ['Audit'],
};

const longestTitle = 300;

/** The entry that a row is shown as: a sentence, and the id of what it is about. */
export function entryOf(row: TimelineRow): Entry {
  const [kind] = (Object.keys(sourcesOfKind) as Kind[]).filter((one) =>
    sourcesOfKind[one].includes(row.source),
  );
  const { title, detail, ...told } = tellers[row.source](row);
  return {
    entryId: row.key,
    at: row.at,
    ...(row.until === null ? {} : { until: row.until }),
    kind: kind ?? 'Event',
    title: title.slice(0, longestTitle),
    ...(detail === undefined || detail === '' ? {} : { detail: detail.slice(0, longestTitle) }),
    ...(row.actor === null ? {} : { actor: row.actor }),
    data: {},
    ...told,
  };
}

type Data = Record<string, Json>;

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;
const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' · ');

const tellers: Readonly<Record<TimelineSource, (row: TimelineRow) => Told>> = {
  Created: () => ({ title: 'Made known to the hub' }),
  Connected: ({ data }) => ({ title: 'Connected', detail: placeOf(data), ...connectionOf(data) }),
  Ended({ data }) {
    const secs = Number(data['secs'] ?? 0);
    const { title, detail } = endSentence(
      textOf(data['reason']),
      textOf(data['cause']),
      textOf(data['said']),
    );
    return {
      title: `${title} after ${durationText(secs)}`,
      detail: joined(detail, placeOf(data)),
      ...connectionOf(data),
    };
  },
  Refused({ data }) {
    const count = Number(data['count'] ?? 1);
    return {
      title: count === 1 ? 'Connection refused' : `${count.toLocaleString('en')} connections refused`,
      detail: joined(textOf(data['sentence']), textOf(data['address'])),
      data: { reason: data['reason'] ?? 'Other', count },
    };
  },
  Certificate: ({ data }) => ({
    title: 'Certificate first seen',
    detail: joined(textOf(data['address']), `now ${String(data['status']).toLowerCase()}`),
    link: ids.deviceCertificate.of(String(data['certificate'])),
    data: { fingerprint: data['fingerprint'] ?? '' },
  }),
  Event({ data }) {
    const { body, category, severity, attributes, event } = data;
    return {
      title: titleOfBody(body) ?? (body === null ? 'An event with a large body' : JSON.stringify(body)),
      detail: joined(textOf(category)),
      link: ids.deviceEvent.of(String(event)),
      data: { severity: severity ?? 'Info', attributes: attributes ?? {} },
    };
  },
  Property: ({ data }) => ({
    title: propertyTitle(data),
    data: { name: data['name'] ?? '', value: data['value'] ?? null, before: data['before'] ?? null },
  }),
  Operation: ({ data }) => ({
    title: operationTitle(data),
    detail: textOf(data['error']),
    link: ids.deviceOperation.of(String(data['operation'])),
    data: { status: data['status'] ?? 'Running' },
  }),
  Fired: ({ data }) => ({
    title: `Alert fired: ${String(data['name'])}`,
    detail: textOf(data['severity']),
    ...alertOf(data),
  }),
  Resolved: ({ data }) => ({
    title: `Alert resolved: ${String(data['name'])}`,
    ...alertOf(data),
    ...(data['end'] === 'RuleChanged' ? { detail: 'The rule was changed or disabled.' } : {}),
  }),
  Audit: ({ data }) => auditEntry(data),
};

function operationTitle({ name, status, secs }: Data): string {
  const [verb, preposition] = operationVerbs[String(status)] ?? ['began', ''];
  return `${String(name)} ${verb}${preposition === '' ? '' : ` ${preposition} ${durationText(Number(secs ?? 0))}`}`;
}

const operationVerbs: Readonly<Record<string, readonly [verb: string, preposition: string]>> = {
  Succeeded: ['succeeded', 'in'],
  Failed: ['failed', 'after'],
  TimedOut: ['timed out', 'after'],
  Cancelled: ['was cancelled', 'after'],
};

function titleOfBody(body: Json | undefined): string | undefined {
  if (typeof body === 'string') return body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  return textOf(body['message']);
}

function placeOf({ nodeName, address }: Data): string {
  return joined(typeof nodeName === 'string' ? `node ${nodeName}` : undefined, textOf(address));
}

function connectionOf({ connection, node }: Data) {
  const nodeId = ids.clusterNode.of(String(node));
  return { link: ids.deviceConnection.of(String(connection)), data: { nodeId } };
}

function alertOf({ rule, severity }: Data) {
  return { link: ids.alertRule.of(String(rule)), data: { severity: severity ?? '' } };
}

function propertyTitle({ change, value, before, ...data }: Data): string {
  const name = textOf(data['name']) ?? '';
  if (change === 'Removed') return `${name} removed`;
  if (value === null) return `${name} changed`;
  if (change === 'Patched') return `${name}: ${Object.keys(value as object).join(', ')} changed`;
  const now = shown(value);
  return before === null ? `${name} is ${now}` : `${name} is ${now}, was ${shown(before)}`;
}

const longestShown = 60;

function shown(value: Json | undefined): string {
  const shownText = typeof value === 'string' ? value : JSON.stringify(value);
  return shownText.length > longestShown ? `${shownText.slice(0, longestShown)}…` : shownText;
}

function auditEntry({ event, name, data }: Data): Told {
  const given = (data ?? {}) as Data;
  const entry = { link: ids.auditEvent.of(String(event)), data: given };
  const certificate = { ...entry, link: textOf(given['certificateId']) ?? entry.link };
  switch (name) {
    case 'devices_NameChanged':
      return { ...entry, title: renamed(given) };
    case 'devices_LabelChanged':
      return { ...entry, ...labelChange(given) };
    case 'devices_CertificateStatusChanged':
      return { ...certificate, title: certificateTitles[String(given['status'])] ?? 'Certificate changed' };
    case 'devices_CertificateDeleted':
      return { ...certificate, title: 'Certificate deleted' };
    case 'devices_CertificateIssued':
      return { ...certificate, title: 'Certificate issued by an authority of the project' };
    case 'devices_CertificateRotationStarted':
      return { ...entry, title: 'Window to replace the certificate opened' };
    case 'devices_CertificateRotationAnnounced':
      return { ...certificate, title: 'New certificate announced' };
    case 'devices_CertificateRotationArrived':
      return { ...entry, title: 'Came with its new certificate' };
    case 'devices_CertificateRotationCompleted':
      return { ...entry, title: 'Certificate replaced' };
    case 'devices_CertificateRotationRolledBack':
      return { ...entry, title: 'Went back to its old certificate' };
    case 'devices_CertificateRotationExpired':
      return { ...entry, title: 'Window to replace the certificate closed' };
    case 'devices_CertificateRotationCancelled':
      return { ...entry, title: 'Rotation of the certificate ended' };
    case 'devices_HttpProxyTokenIssued':
      return { ...entry, title: 'Page of the device opened through the HTTP proxy' };
    case 'devices_TokenIssued':
      return { ...entry, title: 'Token of the device issued' };
    default:
      return { ...entry, title: String(name) };
  }
}

const certificateTitles: Readonly<Record<string, string>> = {
  Active: 'Certificate accepted',
  Rejected: 'Certificate rejected',
  Revoked: 'Certificate revoked',
};

function renamed(data: Data): string {
  const name = textOf(data['name']);
  return name === undefined ? 'Name removed' : `Renamed to ${name}`;
}

function labelChange({ name, before, after }: Data): Told {
  if (after === undefined)
    return { title: `Label ${String(name)} removed`, detail: `It was ${shown(before)}.` };
  return {
    title: `Label ${String(name)} set to ${shown(after)}`,
    ...(before === undefined ? {} : { detail: `It was ${shown(before)}.` }),
  };
}
