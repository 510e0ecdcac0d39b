import { readList } from '@corral/client';
import { retryingExecutor } from '@corral/client/node';
import { parseExactJson, type Id, type Json } from '@corral/contract';
import { InvalidArgumentError, type Command } from 'commander';
import { CliError, exitCodes } from '../CliError.ts';
import { withPaceOptions, type PaceOptions } from '../fleet/operation-options.ts';
import type { Hub } from '../hub/hub.ts';
import { formatBytes } from '../output/format.ts';
import type { Output } from '../output/output.ts';
import { plainText } from '../output/plain-text.ts';
import { applyPlan, type Published } from '../publish/apply.ts';
import { planJson, planText } from '../publish/plan-text.ts';
import { conflictOf, findTarget, isDone, knownDigests, planOf, type Plan } from '../publish/plan.ts';
import { quotaRefusalOf } from '../publish/quota-refusal.ts';
import { readPublication, type Publication } from '../publish/publication.ts';
import { publishingAccess, type PublishingAccess } from '../publish/publishing-access.ts';
import { repeated } from './arguments.ts';
import { withExample, type CommandContext } from './command-context.ts';
import { installVersion } from './install.ts';
import { withTransfers } from './transfers.ts';
import { hashFiles } from './upload-files.ts';

interface Options extends PaceOptions {
  readonly plan?: boolean;
  readonly install?: boolean;
  readonly on?: string;
  readonly version?: string;
  readonly tag: string[];
  readonly metadata: Record<string, Json>;
}

const manifestHelp = `
A manifest, publish.toml:
  repository = "firmware"
  package = "press"
  version = "1.4.0"
  tags = ["stable", { name = "1.4.0", locked = true }]
  files = ["build/press.img", { path = "notes/*.txt", metadata = { language = "en" } }]`;

/** `corral publish`. */
export function addPublish(program: Command, context: CommandContext): void {
  const command = program
    .command('publish')
    .description(
      'Publishes a version with its files and tags as a manifest says. What the hub has is not sent; run again, it does nothing.',
    )
    .argument('[manifest]', 'a TOML file', 'publish.toml')
    .option('--plan', 'say what would be done, and do nothing')
    .option('--name <name>', 'the name of the version, instead of that in the manifest')
    .option('--tag <tag>', 'a further tag; may be repeated', repeated, [])
    .option('--metadata <key=json>', 'a further value of the metadata; may be repeated', metadataOf, {})
    .option('--install', 'install the version then on the devices that --on selects')
    .option('--on <filter>', 'on which devices: a filter as of the list of devices, or the word all');
  withPaceOptions(command).action((manifest: string, { name, ...options }: Options & { name?: string }) =>
    publishAndInstall(context, manifest, { ...options, ...(name === undefined ? {} : { version: name }) }),
  );
  withExample(
    command,
    'corral publish --plan',
    'corral publish build/publish.toml --name "$VERSION" --tag nightly',
    "corral publish --install --on 'label.ring:canary' --yes",
  );
  command.addHelpText('after', manifestHelp);
}

function metadataOf(pair: string, before: Record<string, Json>): Record<string, Json> {
  const at = pair.indexOf('=');
  try {
    if (at > 0) return { ...before, [pair.slice(0, at)]: parseExactJson(pair.slice(at + 1)) as Json };
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('It must be KEY=JSON, such as commit=\'"4f2a"\'.');
}

async function publishAndInstall(context: CommandContext, path: string, options: Options): Promise<void> {
  const { install, on, plan } = options;
  if ((install === true) !== (on !== undefined))
    throw new CliError('--install and --on belong together.', exitCodes.usage);
  const publication = await readPublication(path, {
    version: options.version,
    tags: options.tag,
    metadata: options.metadata,
  });
  const access = await publishingAccess(context, publication.manifest.repository, install === true);
  const published = await publish(context, access, publication, options);
  if (on === undefined || plan === true || published === undefined) return;
  await installVersion(context, access.hub, published, { ...options, on });
}

/** Publishes a version, and answers which; undefined where it was only planned. */
async function publish(
  context: CommandContext,
  { hub, isOfJob }: PublishingAccess,
  { manifest, files }: Publication,
  options: Options,
): Promise<PublishedVersion | undefined> {
  const out = context.output();
  const target = { ...(await findTarget(hub, manifest)), isOfJob };
  return withTransfers(context, hub, async (transfers) => {
    const hashed = await hashFiles(files, transfers);
    const { signal, view } = transfers;
    const retrying = { signal, onRetry: view.start('Publishing').onRetry };
    const plan = await planOf(retryingExecutor(hub, retrying), manifest, hashed, target);
    const refusal = options.plan === true ? await showPlan(hub, plan, out) : undefined;
    const conflict = conflictOf(plan, 'Nothing was sent.');
    if (conflict !== undefined) throw conflict;
    if (refusal !== undefined) throw refusal;
    if (options.plan === true) return undefined;
    const published = isDone(plan) ? undefined : await applyPlan(hub, plan, transfers, retrying);
    const done = published?.plan ?? plan;
    const versionId = published?.versionId ?? plan.version?.versionId;
    // With an install, programs get the operation as the one result.
    if (options.install !== true || !out.isJson) {
      if (published === undefined || published.isUnchanged) showUnchanged(done, out);
      else show(published, out);
    }
    const { repository, package: name, version } = plan.manifest;
    const path = `${repository}/${name}`;
    return versionId && { name: version === undefined ? path : `${path} ${version}`, versionId };
  });
}

interface PublishedVersion {
  readonly name: string;
  readonly versionId: Id<'packageVersion'>;
}

/** Prints the plan, and answers the error that carrying it out would end with for want of quota. */
async function showPlan(hub: Hub, plan: Plan, out: Output): Promise<CliError | undefined> {
  const { repositoryId } = plan;
  const { projects } = await readList(hub, 'repositories_QueryRepositoryProjects', { repositoryId });
  const [known, quotas] = await Promise.all([
    knownDigests(hub, plan),
    hub.invoke('repositories_GetRepositoryDetails', { repositoryId }),
  ]);
  const refusal = quotaRefusalOf(plan, known, quotas);
  const facts = { present: known.present, projects, refusal: refusal?.message };
  out.result(planJson(plan, facts), () => planText(plan, facts, out));
  return refusal;
}

function showUnchanged(plan: Plan, out: Output): void {
  const { version, repositoryId, packageId } = plan;
  const versionId = version?.versionId;
  out.result({ status: 'unchanged', repositoryId, packageId, versionId }, () => {
    const { repository, package: name } = plan.manifest;
    return `${out.style.green('✓')} ${plainText(repository)}/${name} is published already, as ${versionId}: nothing was done.`;
  });
}

function show(published: Published, out: Output): void {
  const { plan, packageId, versionId } = published;
  const files = published.files.map(({ filename, content, assetId, status, sentBytes }) => ({
    filename,
    assetId,
    size: content.sizeBytes,
    digest: content.digest,
    status,
    sentBytes,
  }));
  const sentBytes = files.reduce((sum, file) => sum + file.sentBytes, 0);
  const tags = plan.tags.map(({ name, locked, change, from }) => ({
    tag: name,
    locked,
    change,
    ...(from === undefined ? {} : { from: from.versionId }),
  }));
  const { repositoryId } = plan;
  const answer = { status: 'published', repositoryId, packageId, versionId, files, sentBytes, tags };
  out.result(answer, () => {
    const lines = files.map(
      ({ filename, size, status }) => `  ${plainText(filename)}, ${formatBytes(size)}: ${status}`,
    );
    const { repository, package: name } = plan.manifest;
    const title = `${out.style.green('✓')} ${plainText(repository)}/${name} is published as ${versionId}, ${formatBytes(sentBytes)} sent.`;
    return [title, ...lines, ...rollbackLines(plan)].join('\n');
  });
}

/** The commands that bring the moved tags back. */
function rollbackLines({ tags }: Plan): string[] {
  const moved = new Map<string, string[]>();
  for (const { change, name, locked, from } of tags)
    if (change === 'moves' && from !== undefined && !locked)
      moved.set(from.versionId, [...(moved.get(from.versionId) ?? []), name]);
  return [...moved].map(
    ([versionId, names]) => `To go back: corral versions tag ${versionId} ${names.join(' ')}`,
  );
}
