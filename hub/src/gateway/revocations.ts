import { revocationReasons, type DomainEvent } from '@corral/contract';
import type { CredentialRefs, Revocation } from './connection-registry.ts';

type Rule = (data: DomainEvent['data']) => Revocation | undefined;

function revokes(reason: string, ...names: (keyof CredentialRefs)[]): Rule {
  return (data) => {
    const credentialRefs: Record<string, string> = {};
    for (const name of names) {
      const value = data[name];
      if (typeof value !== 'string') return undefined;
      credentialRefs[name] = value;
    }
    return { credentialRefs, reason };
  };
}

const certificateChanged: Rule = (data) =>
  data['status'] === 'Active'
    ? undefined
    : revokes(revocationReasons.certificateInactive, 'certificateId')(data);

const userDisabled: Rule = (data) =>
  data['isDisabled'] === true ? revokes(revocationReasons.userDisabled, 'userId')(data) : undefined;

/** The events that close connections, and which ones. */
const rules: Readonly<Partial<Record<DomainEvent['name'], Rule>>> = {
  devices_CertificateStatusChanged: certificateChanged,
  devices_CertificateDeleted: revokes(revocationReasons.certificateDeleted, 'certificateId'),
  devices_Deleted: revokes(revocationReasons.deviceDeleted, 'deviceId'),
  projects_Deleted: revokes(revocationReasons.projectDeleted, 'projectId'),
  projects_DeploymentTokenDeleted: revokes(revocationReasons.deploymentTokenDeleted, 'tokenId'),
  users_TokenDeleted: revokes(revocationReasons.userTokenDeleted, 'tokenId'),
  users_SetIsDisabled: userDisabled,
  users_Deleted: revokes(revocationReasons.userDeleted, 'userId'),
};

/** The names of the events that end credentials of devices. */
export const deviceRevocations: readonly string[] = Object.keys(rules).filter(
  (name) => !name.startsWith('users_'),
);

/** Which connections an event revokes; undefined for most events. */
export function revocationOf(event: DomainEvent): Revocation | undefined {
  return rules[event.name]?.(event.data);
}
