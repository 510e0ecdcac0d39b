import type { Output } from '@corral/contract';
import type { Command } from 'commander';
import { CliError } from '../CliError.ts';
import { findDevice } from '../hub/find-device.ts';
import { confirm } from '../output/confirm.ts';
import { plainText } from '../output/plain-text.ts';
import { withExample, type CommandContext } from './command-context.ts';

type Certificate = Output<'devices_GetDeviceDetails'>['certificates'][number];

interface Decision {
  readonly name: 'accept' | 'reject' | 'revoke';
  readonly description: string;
  /** The status of the certificates that it changes. */
  readonly from: Certificate['status'];
  readonly to: 'Active' | 'Rejected' | 'Revoked';
  readonly done: string;
  /** The consequence, for the prompt. */
  readonly question: string;
}

const decisions: readonly Decision[] = [
  {
    name: 'accept',
    description: 'Accepts the pending certificate of a device, which is then let in.',
    from: 'Pending',
    to: 'Active',
    done: 'accepted',
    question: 'Accept it only if `corral-agent certificate fingerprint` prints the same on the device.',
  },
  {
    name: 'reject',
    description: 'Rejects the pending certificate of a device, which is not let in with it.',
    from: 'Pending',
    to: 'Rejected',
    done: 'rejected',
    question: 'The device can never connect with a rejected certificate.',
  },
  {
    name: 'revoke',
    description: 'Revokes the active certificate of a device, which closes its connections for good.',
    from: 'Active',
    to: 'Revoked',
    done: 'revoked',
    question: 'Its connections end, and the device can never connect with it again.',
  },
];

interface Options {
  readonly fingerprint?: string;
  readonly yes?: boolean;
}

/** `corral devices accept`, `reject` and `revoke`. */
export function addCertificates(devices: Command, context: CommandContext): void {
  for (const decision of decisions) {
    const command = devices
      .command(decision.name)
      .description(decision.description)
      .argument('<device>', 'id, name or host name of the device')
      .option(
        '--fingerprint <fingerprint>',
        'that of the certificate, as the device prints it; nothing is asked then',
      )
      .action((device: string, options: Options) => decide(context, decision, device, options));
    // The prompt makes people compare the fingerprint; --yes must not skip that.
    if (decision.name !== 'accept') command.option('--yes', 'do not ask');
    withExample(
      command,
      `corral devices ${decision.name} d_7hFxpH4LTaq1Zd3c8yGvKn --fingerprint 91:37:92:22:…`,
    );
  }
}

async function decide(
  context: CommandContext,
  decision: Decision,
  device: string,
  options: Options,
): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const deviceId = await findDevice(hub, device);
  const { certificates } = await hub.invoke('devices_GetDeviceDetails', { deviceId });
  const { certificateId, fingerprint } = chosen(
    certificates,
    decision,
    plainText(device),
    options.fingerprint,
  );
  const isSure = options.fingerprint !== undefined || options.yes === true;
  await confirm(context, `The certificate is ${fingerprint}. ${decision.question}`, isSure);
  await hub.invoke('devices_SetDeviceCertificateStatus', { certificateId, status: decision.to });
  out.result(
    { deviceId, certificateId, fingerprint, status: decision.to },
    () => `${out.style.green('✓')} The certificate ${fingerprint} of ${deviceId} is ${decision.done}.`,
  );
}

/** The certificate to change. Throws a CliError that lists the candidates if it is not clear which. */
function chosen(
  all: readonly Certificate[],
  { from, name }: Decision,
  device: string,
  fingerprint: string | undefined,
): Certificate {
  const fitting = all.filter(({ status }) => status === from);
  const wanted = from.toLowerCase();
  if (fitting.length === 0)
    throw new CliError(`The device ${device} has no ${wanted} certificate: see \`corral devices show\`.`);
  const listed = fitting.map((certificate) => certificate.fingerprint).join(', ');
  if (fingerprint !== undefined) {
    const found = fitting.find((certificate) => digits(certificate.fingerprint) === digits(fingerprint));
    if (found !== undefined) return found;
    throw new CliError(
      `No ${wanted} certificate of the device ${device} has this fingerprint, and nothing was changed; ${fitting.length === 1 ? 'its is' : 'theirs are'} ${listed}.`,
    );
  }
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  throw new CliError(
    `The device ${device} has ${fitting.length} ${wanted} certificates (${listed}): name the one to ${name} with --fingerprint.`,
  );
}

/** Removes colons and blanks and ignores case. */
const digits = (fingerprint: string): string => fingerprint.replace(/[\s:]/g, '').toLowerCase();
