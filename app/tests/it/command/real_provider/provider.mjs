// A provider of OpenID Connect: `oidc-provider` of npm with its own store in memory, as a test tells it to be.
//
//     node provider.mjs FOLDER
//
// FOLDER holds `node_modules`. It prints its issuer. Each line of standard input says in JSON what it is from then on, and is
// answered by a line; what it remembers, of codes and of who is signed in, stays.
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { default: Provider } = await import(pathToFileURL(`${process.argv[2]}/node_modules/oidc-provider/lib/index.js`));

const kinds = {
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  PS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  ES384: () => generateKeyPairSync("ec", { namedCurve: "P-384" }),
  ES512: () => generateKeyPairSync("ec", { namedCurve: "P-521" }),
  ES256K: () => generateKeyPairSync("ec", { namedCurve: "secp256k1" }),
  EdDSA: () => generateKeyPairSync("ed25519"),
};
const made = new Map();
// The last identity token of each client.
const tokens = new Map();

// The key of that name, the same whenever it is named again.
function key({ kid, alg }) {
  if (!made.has(kid)) made.set(kid, { ...kinds[alg]().privateKey.export({ format: "jwk" }), kid, alg, use: "sig" });
  return made.get(kid);
}

const form = (action) => `<!doctype html><title>Who are you?</title><h1>Who are you?</h1>
<form method="post" action="${action}"><input name="login"> <button name="answer" value="yes">It is me</button>
<button name="answer" value="no">Nobody</button></form>`;

function provider(issuer, { clients, keys, tokenLives, namesInToken, tokenOf }) {
  const made = new Provider(issuer, {
    clients,
    jwks: { keys: keys.map(key) },
    cookies: { keys: ["not a secret"] },
    claims: { openid: ["sub"], profile: ["name", "preferred_username"] },
    conformIdTokenClaims: !namesInToken,
    enabledJWA: { idTokenSigningAlgValues: ["HS256", ...Object.keys(kinds)] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, name: `${id} of the provider`, preferred_username: `${id}@example.org` }),
    }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    // Everybody agrees to what is asked for.
    async loadExistingGrant({ oidc }) {
      const grant = new made.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope(oidc.params.scope);
      await grant.save();
      return grant;
    },
    pkce: { required: () => true },
    renderError: (ctx, out) => { ctx.body = JSON.stringify(out); },
    ttl: { IdToken: () => tokenLives, AccessToken: 60, AuthorizationCode: 60, Grant: 600, Interaction: 600, Session: 600 },
  });
  made.use(async (ctx, next) => {
    if (ctx.path.startsWith("/interaction/")) {
      if (ctx.method === "GET") {
        ctx.type = "html";
        ctx.body = form(ctx.path);
        return;
      }
      let sent = "";
      for await (const part of ctx.req) sent += part;
      const given = new URLSearchParams(sent);
      const result = given.get("answer") === "yes" ? { login: { accountId: given.get("login") } } : { error: "access_denied" };
      await made.interactionFinished(ctx.req, ctx.res, result);
      ctx.respond = false;
      return;
    }
    await next();
    if (ctx.path === "/token" && ctx.body?.id_token) {
      tokens.set(ctx.oidc.client.clientId, ctx.body.id_token);
      if (tokenOf) ctx.body = { ...ctx.body, id_token: tokens.get(tokenOf) };
    }
  });
  return made.callback();
}

let answer = (_, response) => response.writeHead(503).end();
let asked = {};
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://any");
  asked[pathname] = (asked[pathname] ?? 0) + 1;
  answer(request, response);
});
server.listen(0, "127.0.0.1", () => {
  const own = `http://127.0.0.1:${server.address().port}`;
  console.log(own);
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { issuer, away, ...settings } = JSON.parse(line);
    const whole = provider(issuer ?? own, settings);
    answer = (request, response) => (away && request.url.startsWith(away) ? response.writeHead(503).end() : whole(request, response));
    console.log(JSON.stringify(asked));
    asked = {};
  });
});
process.stdin.on("end", () => process.exit());
