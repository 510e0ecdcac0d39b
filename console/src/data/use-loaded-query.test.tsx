import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { Component, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { userId } from '../../test/render-console.tsx';
import { createQueryClient } from './query-client.ts';
import { userTokensQuery } from '../parts/user-tokens/token-data.ts';
import { stubHub } from './stub-hub.ts';
import { useLoadedQuery } from './use-loaded-query.ts';

class Boundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};
  static getDerivedStateFromError = (error: Error) => ({ error });
  override render() {
    return this.state.error === undefined ? this.props.children : <p>{this.state.error.message}</p>;
  }
}

function Page() {
  return <p>{useLoadedQuery(userTokensQuery(userId)).data.tokens.length} tokens</p>;
}

function open(prepare: (client: ReturnType<typeof createQueryClient>) => void): void {
  const client = createQueryClient({ hub: stubHub({ users_QueryUserTokens: () => ({ tokens: [] }) }) });
  prepare(client);
  render(
    <QueryClientProvider client={client}>
      <Boundary>
        <Page />
      </Boundary>
    </QueryClientProvider>,
    { onCaughtError: () => {} },
  );
}

test('a page shows the answer that its loader has started to read', async () => {
  open((client) => void client.prefetchQuery(userTokensQuery(userId)));
  expect(await screen.findByText('0 tokens')).toBeVisible();
});

test('a page whose loader forgot the query names it', async () => {
  open(() => {});
  expect(await screen.findByText(/^No loader has read \["users_QueryUserTokens",/)).toBeVisible();
});
