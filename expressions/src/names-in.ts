import type { Expr } from './expression.ts';

/** The names of all properties that an expression may read. */
export function namesIn(expr: Expr): ReadonlySet<string> {
  const names = new Set<string>();
  const pending = [expr];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (one.kind === 'NamedValue') names.add(one.name);
    for (const operand of operandsOf(one)) pending.push(operand);
  }
  return names;
}

/** The expressions of which one is made. */
export function operandsOf(expr: Expr): readonly Expr[] {
  if ('exprs' in expr) return expr.exprs;
  if ('left' in expr) return [expr.left, expr.right];
  const own = 'expr' in expr ? [expr.expr] : [];
  return 'default' in expr && expr.default !== undefined ? [...own, expr.default] : own;
}
