import { X509Certificate } from 'node:crypto';
import { isLoopback } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import { connectionLimits, descriptorLimit } from '../connection-limits.ts';
import { askHub, type HubAnswer } from './ask-hub.ts';
import { checkCertificate } from './check-certificate.ts';
import { checkOf, sentenceOf, type Finding } from './finding.ts';

/** What the checks of the doors of a hub compare with. */
export interface HubMarks {
  /** What tells this Corral from others; undefined where the database could not be asked. */
  readonly instance: string | undefined;
}

const neededDescriptors = 4_096;
const everyAddress = ['0.0.0.0', '::', '[::]'];

/** Whether a hub runs on this machine, and its public address leads to this Corral. */
export async function checkHub(config: Config, marks: HubMarks): Promise<Finding[]> {
  const local = await askLocally(config);
  const own = ownFindings(config, local, marks);
  const isRunning = own.some(({ state }) => state === 'right');
  return [
    ...own,
    ...(await checkPublicUrl(config, marks, isRunning)),
    ...(await descriptors(config, isRunning)),
  ];
}

function localOrigin({ host, port, tls }: Config): string {
  const bare = everyAddress.includes(host) ? '127.0.0.1' : host.replace(/^\[|\]$/g, '');
  return `${tls === undefined ? 'http' : 'https'}://${bare.includes(':') ? `[${bare}]` : bare}:${port}`;
}

async function askLocally(config: Config): Promise<HubAnswer | Error | undefined> {
  if (config.port === 0) return undefined;
  return askHub(`${localOrigin(config)}/readyz`).catch((error: Error) => error);
}

function ownFindings(
  config: Config,
  local: HubAnswer | Error | undefined,
  { instance }: HubMarks,
): Finding[] {
  const { right, wrong, unchecked } = checkOf('This hub');
  const at = localOrigin(config);
  if (local === undefined)
    return [unchecked('Its port is any free one (CORRAL_PORT=0), so it was not asked.')];
  if (local instanceof Error)
    return [unchecked(`Nothing answers at ${at}, so the hub is stopped: ${sentenceOf(local)}`)];
  if (isStranger(local, instance))
    return [wrong(`Another program answers at ${at}: stop it, or choose another CORRAL_PORT.`)];
  if (local.status === 503)
    return [
      wrong(
        `It runs at ${at}, and is not ready: the database does not answer, or it stops or has no lease. Its log says more.`,
      ),
    ];
  if (local.status !== 200) return [wrong(`It answers at ${at} with ${local.status}: see its log.`)];
  const notice = local.text.split('\n')[1] ?? '';
  return [
    right(`Release ${local.version} runs at ${at} and is ready.`),
    ...(notice === '' ? [] : [wrong(notice)]),
  ];
}

const isStranger = (answer: HubAnswer, instance: string | undefined): boolean =>
  answer.version === undefined || (instance !== undefined && answer.instance !== instance);

async function checkPublicUrl(
  config: Config,
  { instance }: HubMarks,
  isRunning: boolean,
): Promise<Finding[]> {
  const { right, wrong, unchecked } = checkOf('Public URL');
  const { publicUrl } = config;
  if (publicUrl.endsWith(':0')) return [];
  try {
    const answer = await askHub(`${publicUrl}/readyz`);
    if (answer.status === 421)
      return [
        wrong(`${publicUrl} leads to a hub that has another CORRAL_PUBLIC_URL: give all hubs the same one.`),
      ];
    if (isStranger(answer, instance))
      return [
        wrong(
          `${publicUrl} leads to another program or another Corral: correct CORRAL_PUBLIC_URL, DNS or the reverse proxy.`,
        ),
      ];
    const found =
      answer.status === 200
        ? right(`${publicUrl} leads to this Corral.`)
        : wrong(`${publicUrl} answers with ${answer.status}: no hub behind it is ready.`);
    return [found, ...certificateFindings(config, answer)];
  } catch (error) {
    const text = `${publicUrl} does not answer: ${sentenceOf(error)}`;
    return [
      isRunning
        ? wrong(`${text} Check DNS, firewall and reverse proxy, as seen from this machine.`)
        : unchecked(text),
      ...ownCertificate(config),
    ];
  }
}

function namesOf({ publicUrl, hostNames, proxy, tls }: Config): string[] {
  const pages = proxy.scheme === 'https' && tls !== undefined && !isLoopback(proxy.domain);
  return [new URL(publicUrl).hostname, ...hostNames, ...(pages ? [`page.${proxy.domain}`] : [])];
}

function certificateFindings(config: Config, { certificate, distrust }: HubAnswer): Finding[] {
  if (certificate === undefined) return ownCertificate(config);
  const { wrong } = checkOf('TLS certificate');
  return [
    ...checkCertificate(certificate, namesOf(config), Date.now()),
    ...(distrust === undefined || /EXPIRED|ALTNAME/.test(distrust)
      ? []
      : [
          wrong(
            `This machine does not trust it (${distrust}), and devices will not either: send the whole chain, or, with an authority of your own, name its certificate to them, and to this command with NODE_EXTRA_CA_CERTS.`,
          ),
        ]),
  ];
}

/** The certificate that the hub would show, when it cannot be asked; it fits its key, or the settings were refused. */
function ownCertificate(config: Config): Finding[] {
  if (config.tls === undefined) return [];
  return checkCertificate(new X509Certificate(config.tls.cert), namesOf(config), Date.now());
}

/** Of the hub that runs, as its metrics say, or of this process, which has the same limit if it was started in the same way. */
async function descriptors(config: Config, isRunning: boolean): Promise<Finding[]> {
  const { right, wrong } = checkOf('Descriptors');
  const measured = isRunning ? await measuredLimit(config) : undefined;
  const limit = measured ?? descriptorLimit();
  const whose = measured === undefined ? 'This shell' : 'The hub';
  const { total } = connectionLimits(config, limit);
  if (limit < neededDescriptors || total >= limit)
    return [
      wrong(
        `${whose} may have ${limit} descriptors open, for ${total} connections: raise it (LimitNOFILE= in systemd, ulimit -n).`,
      ),
    ];
  return [right(`${whose} may have ${limit} descriptors open, for ${total} connections.`)];
}

async function measuredLimit(config: Config): Promise<number | undefined> {
  const answer = await askHub(`${localOrigin(config)}/metrics`).catch(() => undefined);
  const found = /^process_max_fds (\d+)/m.exec(answer?.text ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}
