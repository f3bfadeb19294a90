import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './project-root.js';

/** A regular expression in the source, with its position. */
export interface Expression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Regular expressions with a known source text, and files that create others at run time. */
export interface Expressions {
  readonly known: readonly Expression[];
  readonly makers: readonly string[];
}

/** Finds every regular expression below `src` in the syntax tree. */
export function expressionsOfSource(): Expressions {
  const known: Expression[] = [];
  const makers = new Set<string>();
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /\.m?[jt]s$/.test(name) && !name.endsWith('.spec.ts')).sort()) {
    const path = join('src', file);
    const tree = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      const found = expressionIn(node, tree);
      if (found === null) makers.add(path);
      else if (found !== undefined) {
        known.push({ place: `${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`, ...found });
      }
      node.forEachChild(visit);
    };
    visit(tree);
  }
  return { known, makers: [...makers] };
}

/** @returns undefined for a node that is not a regular expression, null for one whose text is not constant */
function expressionIn(node: ts.Node, tree: ts.SourceFile): Omit<Expression, 'place'> | null | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  const isMade = (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
  if (!isMade) return undefined;
  const [source, flags] = node.arguments ?? [];
  const texts = [source && constantOf(source, tree), flags === undefined ? '' : constantOf(flags, tree)];
  return texts.every((text) => typeof text === 'string') ? { source: texts[0] ?? '', flags: texts[1] ?? '' } : null;
}

/** Evaluates an expression of literals and constants of the file; null when it is not constant. */
function constantOf(node: ts.Expression, tree: ts.SourceFile): string | number | null {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw') {
    return ts.isNoSubstitutionTemplateLiteral(node.template) ? (node.template.rawText ?? null) : null;
  }
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map(({ expression, literal }) => {
      const value = constantOf(expression, tree);
      return value === null ? null : value + literal.text;
    });
    return spans.includes(null) ? null : node.head.text + spans.join('');
  }
  if (ts.isBinaryExpression(node)) {
    const [left, right] = [constantOf(node.left, tree), constantOf(node.right, tree)];
    if (typeof left !== 'number' || typeof right !== 'number') return null;
    if (node.operatorToken.kind === ts.SyntaxKind.PlusToken) return left + right;
    return node.operatorToken.kind === ts.SyntaxKind.AsteriskToken ? left * right : null;
  }
  if (!ts.isIdentifier(node)) return null;
  for (const statement of tree.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const declared = statement.declarationList.declarations.find(({ name }) => name.getText() === node.text);
    if (declared?.initializer !== undefined) return constantOf(declared.initializer, tree);
  }
  return null;
}
