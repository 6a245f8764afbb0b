// Parses files of PL/SQL: `node parse.mjs <folder with node_modules> <file>...`. Prints one line of JSON for each file:
// its name and its syntax errors. A grammar rule for each kind of file is several times faster than the rule for scripts.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const require = createRequire(join(folder, "package.json"));
const { default: antlr4 } = await import(pathToFileURL(join(folder, "node_modules/antlr4/dist/antlr4.node.mjs")));
const { PlSqlLexer, PlSqlParser } = await import(pathToFileURL(require.resolve("@griffithswaite/ts-plsql-parser")));

const rules = [
  [/^CREATE OR REPLACE PACKAGE BODY\b/, "create_package_body"],
  [/^CREATE OR REPLACE PACKAGE\b/, "create_package"],
  [/^CREATE TABLE\b/, "create_table"],
  [/^CREATE (UNIQUE )?INDEX\b/, "create_index"],
  [/^ALTER TABLE\b/, "alter_table"],
  [/^ALTER INDEX\b/, "alter_index"],
  [/^DROP TABLE\b/, "drop_table"],
  [/^DROP PACKAGE\b/, "drop_package"],
  [/^(BEGIN|DECLARE)\b/, "anonymous_block"],
  [/^UPDATE\b/, "update_statement"],
  [/^SELECT\b/, "select_statement"],
];

for (const file of files) {
  const text = readFileSync(file, "utf8");
  const errors = [];
  const listener = {
    syntaxError: (recognizer, symbol, line, column, message) => errors.push(`line ${line}, column ${column}: ${message}`),
    reportAmbiguity() {}, reportAttemptingFullContext() {}, reportContextSensitivity() {},
  };
  const lexer = new PlSqlLexer(new antlr4.CharStream(text));
  lexer.removeErrorListeners();
  lexer.addErrorListener(listener);
  const tokens = new antlr4.CommonTokenStream(lexer);
  const parser = new PlSqlParser(tokens);
  parser.removeErrorListeners();
  parser.addErrorListener(listener);
  parser.buildParseTrees = false;

  const rule = rules.find(([pattern]) => pattern.test(text));
  if (rule) parser[rule[1]]();
  else errors.push("no rule for a text that begins like this");

  // A rule stops where it is satisfied; what is left over is an error, apart from the closing semicolon.
  if (tokens.LA(1) === PlSqlLexer.SEMICOLON) tokens.consume();
  if (errors.length === 0 && tokens.LA(1) !== antlr4.Token.EOF)
    errors.push(`line ${tokens.LT(1).line}, column ${tokens.LT(1).column}: '${tokens.LT(1).text}' is left over`);
  console.log(JSON.stringify({ file: basename(file), errors }));
}
