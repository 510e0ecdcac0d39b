import type { Id } from '@corral/contract';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { deploymentTokensQuery } from '../../data/queries-projects.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { agentCommand } from '../../parts/agent-command.ts';
import { createDeploymentToken } from '../../parts/create-deployment-token.ts';
import { NewTokenDialog } from '../../parts/NewTokenDialog.tsx';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { queryRows } from '../../parts/row-source.ts';
import { tokensCopy as words } from './copy.ts';
import { tokenName } from './deployment-token.ts';
import { deploymentTokenFields, deploymentTokenSchema, endsOf } from './token-form.ts';
import { actionsOnSelected, tokenColumns } from './token-columns.tsx';

/** The deployment tokens of a project: created here, shown once, switched and deleted. */
export function TokensPage({ projectId }: { projectId: Id<'project'> }) {
  const query = deploymentTokensQuery(projectId);
  const isRisky = useLoadedQuery(query).data.tokens.some(({ flags }) => flags.autoAccept === true);
  const run = useRun();
  return (
    <ResourceListPage
      meta={(count) => (count === 0 ? words.text : words.summary(count))}
      intro={isRisky && <p className="mb-4 max-w-[72ch] text-body text-ink2">{words.risk}</p>}
      source={queryRows(query, ({ tokens }) => tokens)}
      columns={tokenColumns}
      rowKey={({ tokenId }) => tokenId}
      rowName={tokenName}
      filterLabel={words.filter}
      csvName={words.csvName}
      bulkActions={actionsOnSelected}
      create={{
        label: terms.create.tokens,
        dialog: (dialog) => (
          <NewTokenDialog
            {...dialog}
            description={words.text}
            fields={deploymentTokenFields()}
            schema={deploymentTokenSchema}
            onSubmit={({ name, ...ends }) =>
              run(createDeploymentToken, { projectId, name, flags: { autoAccept: true }, ...endsOf(ends) })
            }
            secret={{
              ...words.secret,
              variable: 'CORRAL_AGENT_TOKEN',
              command: (secret) => agentCommand(window.location.origin, secret),
            }}
          />
        ),
      }}
      empty={{ title: words.emptyTitle, text: words.emptyText }}
    />
  );
}
