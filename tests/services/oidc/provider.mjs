// oidc-provider on loopback, with an API beside it that takes its tokens. Set up by one JSON
// argument: {home, port, state?, tls?, clients, lifetime}. Prints `ready` when it listens.
import { createServer as createHttps } from 'node:https';
import { createServer } from 'node:http';
import { existsSync, readFileSync, writeFileSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';

const settings = JSON.parse(process.argv[2]);
const { default: Provider } = await import(
  createRequire(`${settings.home}/`).resolve('oidc-provider')
);
console.warn = console.info = () => {};

// ── what is kept, in a file so that a killed provider comes back as it was ──────────

const kept = settings.state && existsSync(settings.state)
  ? JSON.parse(readFileSync(settings.state, 'utf8')) : {};
const save = () => {
  if (!settings.state) return;
  writeFileSync(`${settings.state}.new`, JSON.stringify(kept));
  renameSync(`${settings.state}.new`, settings.state);
};

class Adapter {
  constructor(model) { this.model = model; }
  key(id) { return `${this.model}:${id}`; }
  async upsert(id, payload) { kept[this.key(id)] = payload; save(); }
  async find(id) { return kept[this.key(id)]; }
  async findByUid(uid) { return this.by('uid', uid); }
  async findByUserCode(code) { return this.by('userCode', code); }
  by(name, value) {
    return Object.entries(kept).find(
      ([key, payload]) => key.startsWith(`${this.model}:`) && payload[name] === value,
    )?.[1];
  }
  async consume(id) { kept[this.key(id)].consumed = Math.floor(Date.now() / 1000); save(); }
  async destroy(id) { delete kept[this.key(id)]; save(); }
  async revokeByGrantId(grantId) {
    for (const [key, payload] of Object.entries(kept)) {
      if (payload.grantId === grantId) delete kept[key];
    }
    save();
  }
}

// ── the provider ────────────────────────────────────────────────────────────────────

const issuer = `${settings.tls ? 'https' : 'http'}://127.0.0.1:${settings.port}`;
const scopes = ['read', 'write', 'openid', 'offline_access'];
const provider = new Provider(issuer, {
  adapter: Adapter,
  clients: settings.clients,
  scopes,
  claims: { openid: ['sub'] },
  findAccount: async (ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  rotateRefreshToken: true,
  clientAuthMethods: [
    'client_secret_basic', 'client_secret_post', 'private_key_jwt', 'tls_client_auth', 'none',
  ],
  issueRefreshToken: async (ctx, client) => client.grantTypeAllowed('refresh_token'),
  ttl: {
    AccessToken: () => settings.lifetime,
    ClientCredentials: () => settings.lifetime,
    RefreshToken: () => 86400,
    Grant: () => 86400,
  },
  features: {
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, resource) => ({ scope: 'read write', audience: resource, accessTokenFormat: 'opaque' }),
    },
    mTLS: {
      enabled: true,
      tlsClientAuth: true,
      getCertificate: (ctx) => {
        const peer = ctx.socket.getPeerX509Certificate?.();
        return peer ? peer.toString() : undefined;
      },
      certificateAuthorized: (ctx) => ctx.socket.authorized === true,
      certificateSubjectMatches: (ctx, property, expected) => {
        const names = ctx.socket.getPeerCertificate().subjectaltname ?? '';
        return property === 'tls_client_auth_san_dns' && names.includes(`DNS:${expected}`);
      },
    },
  },
});

const issue = async (ctx, accountId) => {
  const grant = new provider.Grant({ accountId, clientId: ctx.oidc.client.clientId });
  grant.addOIDCScope(ctx.oidc.params.scope ?? '');
  const token = new provider.AccessToken({
    accountId,
    client: ctx.oidc.client,
    grantId: await grant.save(),
    gty: ctx.oidc.params.grant_type,
    scope: ctx.oidc.params.scope,
  });
  ctx.body = {
    access_token: await token.save(),
    expires_in: settings.lifetime,
    token_type: 'Bearer',
    scope: ctx.oidc.params.scope,
  };
};
const refuse = (ctx, error) => { ctx.status = 400; ctx.body = { error }; };
provider.registerGrantType('password', async (ctx) => {
  const { username, password } = ctx.oidc.params;
  if (password !== `password of ${username}`) return refuse(ctx, 'invalid_grant');
  return issue(ctx, username);
}, ['username', 'password', 'scope']);
provider.registerGrantType('urn:ietf:params:oauth:grant-type:token-exchange', async (ctx) => {
  const subject = await provider.AccessToken.find(ctx.oidc.params.subject_token);
  if (!subject) return refuse(ctx, 'invalid_request');
  return issue(ctx, `${subject.accountId} by exchange`);
}, ['subject_token', 'subject_token_type', 'actor_token', 'actor_token_type', 'audience', 'scope']);

// ── what a test asks and tells ──────────────────────────────────────────────────────

const seen = { grants: {}, refused: 0, calls: 0 };
const told = { stallTokens: false, refuse: [], refuseAll: false };
const moment = () => new Promise((done) => { setTimeout(done, 10); });
const count = (ctx) => {
  const name = ctx.oidc.params.grant_type;
  seen.grants[name] = (seen.grants[name] ?? 0) + 1;
};
provider.on('grant.success', count);
provider.on('grant.error', () => { seen.refused += 1; });

const api = async (ctx) => {
  seen.calls += 1;
  const value = /^Bearer (.+)$/.exec(ctx.get('authorization'))?.[1];
  const token = value && (await provider.AccessToken.find(value)
    ?? await provider.ClientCredentials.find(value));
  const metadata = `resource_metadata="${issuer}/.well-known/oauth-protected-resource/api"`;
  if (!token || token.isExpired || told.refuseAll || told.refuse.includes(value)) {
    ctx.status = 401;
    ctx.set('www-authenticate', `Bearer ${metadata}${value ? ', error="invalid_token"' : ''}`);
    return;
  }
  const needed = ctx.path.startsWith('/api/write') ? 'write' : undefined;
  if (needed && !(token.scope ?? '').split(' ').includes(needed)) {
    ctx.status = 403;
    ctx.set('www-authenticate', `Bearer error="insufficient_scope", scope="${needed}"`);
    return;
  }
  ctx.body = {
    who: token.accountId ?? token.clientId, scope: token.scope ?? '', audience: token.aud ?? null,
  };
};

provider.use(async (ctx, next) => {
  if (ctx.path === '/_seen') { ctx.body = seen; return; }
  if (ctx.path === '/_tell') { Object.assign(told, JSON.parse(ctx.query.what)); ctx.body = told; return; }
  if (ctx.path === '/.well-known/oauth-protected-resource/api') {
    ctx.body = { resource: `${issuer}/api`, authorization_servers: [issuer] };
    return;
  }
  if (ctx.path.startsWith('/api')) { await api(ctx); return; }
  while (ctx.path === '/token' && told.stallTokens) { seen.stalled = true; await moment(); }
  await next();
});

const listening = settings.tls
  ? createHttps({
    cert: readFileSync(settings.tls.certificate),
    key: readFileSync(settings.tls.key),
    ca: readFileSync(settings.tls.authority),
    requestCert: true,
    rejectUnauthorized: false,
  }, provider.callback())
  : createServer(provider.callback());
listening.listen(settings.port, '127.0.0.1', () => console.log('ready'));
