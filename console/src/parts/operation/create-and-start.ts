/** An operation that was created and could not be started, and what was asked for. */
export interface LeftOperation<OperationId> {
  readonly asked: string;
  readonly id: OperationId;
}

/** Creates an operation and starts it. One that the last try left is started instead if the same is asked for, and else cancelled. */
export async function createAndStart<OperationId>(
  asked: string,
  left: LeftOperation<OperationId> | undefined,
  does: {
    readonly create: () => Promise<OperationId>;
    readonly start: (id: OperationId) => Promise<unknown>;
    readonly cancel: (id: OperationId) => Promise<unknown>;
    readonly keep: (left: LeftOperation<OperationId> | undefined) => void;
  },
): Promise<OperationId> {
  const isLeft = left?.asked === asked;
  if (left !== undefined && !isLeft) {
    await does.cancel(left.id);
    does.keep(undefined);
  }
  const id = isLeft ? left.id : await does.create();
  does.keep({ asked, id });
  await does.start(id);
  does.keep(undefined);
  return id;
}
