// graphql-yoga on loopback, every field of a given schema mocked. Set up by one JSON argument:
// {home, port, schema?, introspection?}. Prints `ready` when it listens.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const settings = JSON.parse(process.argv[2]);
const require = createRequire(`${settings.home}/`);
const { createYoga } = require('graphql-yoga');
const { addMocksToSchema } = require('@graphql-tools/mock');
const { useAPQ } = require('@graphql-yoga/plugin-apq');
const { useDeferStream } = require('@graphql-yoga/plugin-defer-stream');
const graphql = require('graphql');

const text = readFileSync(settings.schema, 'utf8');
const bare = settings.schema.endsWith('.json')
  ? graphql.buildClientSchema(JSON.parse(text).data ?? JSON.parse(text), { assumeValid: true })
  : graphql.buildSchema(text, { assumeValid: true, assumeValidSDL: true });
// Published schemas break rules of graphql-js; they are served as they are.
const assumed = new graphql.GraphQLSchema({ ...bare.toConfig(), assumeValid: true });

const scalars = {};
for (const type of Object.values(assumed.getTypeMap())) {
  if (graphql.isScalarType(type) && !graphql.isSpecifiedScalarType(type)) {
    scalars[type.name] = () => 'mocked';
    type.serialize = (value) => value;
    type.parseValue = (value) => value;
    type.parseLiteral = (node) => graphql.valueFromASTUntyped(node);
  }
}
const schema = addMocksToSchema({ schema: assumed, mocks: { Int: () => 1, ...scalars } });

const yoga = createYoga({
  schema,
  graphqlEndpoint: '/',
  maskedErrors: false,
  logging: false,
  multipart: true,
  plugins: [useAPQ(), useDeferStream()],
});
createServer(yoga).listen(settings.port, '127.0.0.1', () => console.log('ready'));
