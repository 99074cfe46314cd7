// PostGraphile on loopback over a PostgreSQL that the test started. Set up by one JSON argument:
// {home, port, database}. Makes its table, then prints `ready`.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const settings = JSON.parse(process.argv[2]);
const require = createRequire(`${settings.home}/`);
const { Pool } = require('pg');
const { postgraphile } = require('postgraphile');

const pool = new Pool({ connectionString: settings.database });
await pool.query(`
  create schema app;
  create type app.mood as enum ('calm', 'busy');
  create table app.task (
    id int primary key generated always as identity,
    title text not null check (title <> ''),
    mood app.mood not null default 'calm',
    due timestamptz
  );
  comment on table app.task is 'Something to be done.';
  insert into app.task (title) values ('first'), ('second'), ('third');
`);
const serve = postgraphile(pool, 'app', {
  graphqlRoute: '/graphql',
  graphiql: false,
  dynamicJson: true,
  disableQueryLog: true,
});
createServer(serve).listen(settings.port, '127.0.0.1', () => console.log('ready'));
