import {
  PostgresQueryCompiler,
  RawNode,
  ValueNode,
  type CompiledQuery,
  type OperationNode,
  type QueryId,
  type RootOperationNode,
} from 'kysely';

/** How many pieces of statements are kept; the hub's own have about a thousand, and filters add theirs. When there are more, all are forgotten. */
const mostKept = 5_000;
/** Longer texts, and statements with such pieces, are not kept; in characters. */
const mostLength = 4_096;

/** Stands for a parameter. */
const parameter = Symbol('parameter');

/** A piece of a statement: the literal parts of a template, a text, or a parameter. */
type Piece = readonly string[] | string | typeof parameter;

/** The pieces so far; `text` is the statement that consists of them. */
interface Prefix {
  text: string | undefined;
  readonly next: Map<Piece, Prefix>;
}

const newPrefix = (): Prefix => ({ text: undefined, next: new Map() });

/**
 * Compiles a statement of templates with parameters once: the literal parts of a template are the same object at each call. The text is then the same object too, so the connection
 * finds its prepared statement without reading it. Statements of builders, and templates with identifiers or literals, are compiled each time.
 */
export class CachingCompiler extends PostgresQueryCompiler {
  #start = newPrefix();
  #kept = 0;

  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    if (this.#kept > mostKept) {
      this.#start = newPrefix();
      this.#kept = 0;
    }
    const parameters: unknown[] = [];
    const prefix = RawNode.is(node) ? this.#follow(this.#start, node, parameters) : undefined;
    if (prefix === undefined) return super.compileQuery(node, queryId);
    if (prefix.text !== undefined) return { query: node, queryId, sql: prefix.text, parameters };
    const compiled = super.compileQuery(node, queryId);
    if (compiled.sql.length <= mostLength) prefix.text = compiled.sql;
    return compiled;
  }

  /** The prefix that ends with a node, whose parameters are appended; undefined if the text does not follow from its pieces. */
  #follow(from: Prefix, node: OperationNode, parameters: unknown[]): Prefix | undefined {
    if (ValueNode.is(node)) {
      if (node.immediate === true) return undefined;
      parameters.push(node.value);
      return this.#next(from, parameter);
    }
    if (!RawNode.is(node)) return undefined;
    const [first] = node.sqlFragments;
    const isTemplate = 'raw' in node.sqlFragments;
    if (!isTemplate && (node.sqlFragments.length !== 1 || first === undefined || first.length > mostLength))
      return undefined;
    let prefix: Prefix | undefined = this.#next(from, isTemplate ? node.sqlFragments : (first as string));
    for (const part of node.parameters) {
      prefix = this.#follow(prefix, part, parameters);
      if (prefix === undefined) return undefined;
    }
    return prefix;
  }

  #next(from: Prefix, piece: Piece): Prefix {
    const known = from.next.get(piece);
    if (known !== undefined) return known;
    const added = newPrefix();
    from.next.set(piece, added);
    this.#kept += 1;
    return added;
  }
}
