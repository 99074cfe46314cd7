// Writes scenarios.json: every scenario of the suite as plain data, in the suite's own order.
//   {NAME: {suite, pass, calls: [{method, uri, query, headers, body, status, answer}]}}
// A body is {type, json | text | base64} or {type, fields, files: [{field, name, type, base64}]}.
import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expandDyns } from "@typespec/spec-api";

const ROOT = resolve("node_modules/@typespec/http-specs/dist/specs");
const CONFIG = { baseUrl: "{server}" }; // whoever runs a scenario knows where its server listens

function bytes(buffer) {
  return Buffer.from(buffer).toString("base64");
}

function multipart(body) {
  const files = (body.files ?? []).map((file) => ({
    field: file.fieldname,
    name: file.originalname,
    type: file.mimetype,
    base64: bytes(file.buffer),
  }));
  return { type: body.contentType, fields: body.parts ?? {}, files };
}

function content(body) {
  if (!body) return undefined;
  if (body.kind === "multipart") return multipart(body);
  const { contentType: type = "", rawContent: raw } = body;
  if (raw === undefined) return { type };
  if (Buffer.isBuffer(raw)) return { type, base64: bytes(raw) };
  const text = typeof raw === "string" ? raw : raw.serialize(CONFIG);
  return /[/+]json/.test(type) ? { type, json: JSON.parse(text) } : { type, text };
}

function call(api) {
  const { query = {}, headers = {}, body } = api.request ?? {};
  return {
    method: api.method.toUpperCase(),
    uri: api.uri,
    query: expandDyns(query, CONFIG),
    headers: expandDyns(headers, CONFIG),
    body: content(body),
    status: api.response.status,
    answer: content(api.response.body),
  };
}

const found = {};
const files = readdirSync(ROOT, { recursive: true }).filter((path) => path.endsWith("mockapi.js"));
for (const file of files.sort()) {
  const { Scenarios } = await import(join(ROOT, file));
  for (const [name, scenario] of Object.entries(Scenarios)) {
    found[name] = { suite: relative(ROOT, dirname(join(ROOT, file))), pass: scenario.passCondition, calls: scenario.apis.map(call) };
  }
}
writeFileSync("scenarios.json", JSON.stringify(found, null, 1));
