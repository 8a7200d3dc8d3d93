import { join } from 'node:path';
import ts from 'typescript';
import { root } from './entry-points.js';

/** A function that takes options, and the options. */
export interface OptionTable {
  readonly address: string;
  readonly name: string;
  readonly about: string;
  readonly options: readonly OptionRow[];
}

export interface OptionRow {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** The comment in the source; empty without one. */
  readonly about: string;
}

/** The options of every public function that takes an options object, read from the types: inherited and picked ones included. */
export function optionTables(files: ReadonlyMap<string, string>): OptionTable[] {
  const { options } = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tooling/reference/sources.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
  )!;
  const program = ts.createProgram([...files.values()], options);
  const checker = program.getTypeChecker();
  return [...files].flatMap(([address, file]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
    return checker.getExportsOfModule(module).flatMap((exported) => tableOf(checker, address, exported) ?? []);
  });
}

function tableOf(checker: ts.TypeChecker, address: string, exported: ts.Symbol): OptionTable | null {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const declaration = symbol.valueDeclaration;
  if (declaration === undefined || !ts.isFunctionDeclaration(declaration)) return null;
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures();
  const parameter = signature?.parameters.find((one) => isOptions(checker, one));
  if (parameter === undefined) return null;
  const properties = checker.getNonNullableType(checker.getTypeOfSymbol(parameter)).getProperties();
  return {
    address,
    name: exported.name,
    about: text(symbol, checker),
    options: properties.map((property) => rowOf(checker, property, declaration)),
  };
}

/** Named so, or of a type that is; an object of known properties, and neither a list nor a value of another library. */
function isOptions(checker: ts.TypeChecker, parameter: ts.Symbol): boolean {
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
  const isNamedSo = /options$/i.test(parameter.name) || /Options$/.test((type.aliasSymbol ?? type.symbol)?.name ?? '');
  return (
    isNamedSo && (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0 && !checker.isArrayType(type)
  );
}

function rowOf(checker: ts.TypeChecker, property: ts.Symbol, place: ts.Node): OptionRow {
  const isRequired = (property.flags & ts.SymbolFlags.Optional) === 0;
  const type = checker.getTypeOfSymbolAtLocation(property, place);
  const shown = checker.typeToString(isRequired ? type : checker.getNonNullableType(type));
  return { name: property.name, type: shown, isRequired, about: text(property, checker) };
}

function text(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, ' ').trim();
}

/** The options that no comment describes, as `address: function: option`. */
export function optionsWithoutSentence(tables: readonly OptionTable[]): string[] {
  return tables.flatMap(({ address, name, options }) =>
    options.filter(({ about }) => about === '').map((option) => `${address}: ${name}: ${option.name}`),
  );
}

/** One table per function, as a page in Markdown. */
export function renderOptions(tables: readonly OptionTable[]): string {
  const cell = (value: string) => value.replaceAll('|', '\\|');
  const parts = tables.map(({ address, name, about, options }) =>
    [
      `## \`${name}\` of \`${address}\``,
      about,
      [
        '| option | type | |',
        '| --- | --- | --- |',
        ...options.map(
          (option) =>
            `| \`${option.name}\`${option.isRequired ? ' (required)' : ''} | \`${cell(option.type)}\` | ${cell(option.about)} |`,
        ),
      ].join('\n'),
    ].join('\n\n'),
  );
  return `# Options\n\nEvery function that takes options, made from the types.\n\n${parts.join('\n\n')}\n`;
}
