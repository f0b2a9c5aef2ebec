// Runs the steps with openapi-fetch and the types that openapi-typescript generated; the steps below are checked against
// those types before they run.

import assert from "node:assert";
import createClient from "openapi-fetch";
import type { paths } from "./api";

const [base, key] = process.argv.slice(2);
const headers = (authorization: string) => ({ baseUrl: base, headers: { Authorization: authorization } });
const ours = createClient<paths>(headers(`Bearer ${key}`));
const nobody = createClient<paths>({ baseUrl: base });
const saved: Record<string, string> = {};
const basic = (login: string, secret: string) =>
  createClient<paths>(headers("Basic " + Buffer.from(`${login}:${secret}`).toString("base64")));
const login = () => basic(saved.login, saved.secret);
const partner = () => basic(saved.partnerLogin, saved.partnerSecret);
const partnerToken = () => createClient<paths>(headers(`Bearer ${saved.partnerToken}`));
const form = {
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  bodySerializer: (body: Record<string, unknown>) => new URLSearchParams(body as Record<string, string>).toString(),
};

type Answer = { data?: unknown; error?: unknown; response: Response };
type Checks = { status: number; expect?: object; number?: object; save?: Record<string, string> };

function check(name: string, { data, error, response }: Answer, checks: Checks) {
  assert.equal(response.status, checks.status, `${name}: ${response.status} ${JSON.stringify(error)}`);
  const members = data as Record<string, unknown>;
  for (const [member, value] of Object.entries(checks.expect ?? {})) {
    assert.deepEqual(members[member], value, `${name}: ${member} is ${members[member]}`);
  }
  for (const [member, value] of Object.entries(checks.number ?? {})) {
    assert.equal(Number(members[member]).toPrecision(15), Number(value).toPrecision(15), `${name}: ${member}`);
  }
  for (const [known, member] of Object.entries(checks.save ?? {})) {
    saved[known] = members[member] as string;
  }
}

