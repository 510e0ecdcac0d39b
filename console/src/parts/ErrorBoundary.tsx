import { Component, type ReactNode } from 'react';
import { ErrorScreen } from '../ui/layout/ErrorScreen.tsx';

/** Contains an exception during rendering, or the `error` of a query, to one part of a page, with Retry. */
export class ErrorBoundary extends Component<
  { children: ReactNode; error?: unknown; onRetry?: (() => void) | undefined; isFlush?: boolean | undefined },
  { thrown: unknown }
> {
  override state: { thrown: unknown } = { thrown: undefined };

  static getDerivedStateFromError(thrown: unknown): { thrown: unknown } {
    return { thrown: thrown ?? new Error('Unknown') };
  }

  retry = (): void => {
    this.setState({ thrown: undefined });
    this.props.onRetry?.();
  };

  override render(): ReactNode {
    const error = this.state.thrown ?? this.props.error ?? undefined;
    if (error === undefined) return this.props.children;
    return (
      <div className={this.props.isFlush === true ? 'p-4.5' : undefined}>
        <ErrorScreen error={error} level={3} onRetry={this.retry} />
      </div>
    );
  }
}
