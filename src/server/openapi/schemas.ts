import * as z from 'zod';
import { audienceAnalysisSchema } from '../../features/analysis/audience-analysis.js';
import { creatorAnalysisSchema } from '../../features/analysis/creator-analysis.js';
import { emailSchema } from '../../features/analysis/email.js';
import { socialLinkSchema } from '../../features/analysis/social-link.js';
import { changeSchema, gameChangeSchema } from '../../features/changes/change.js';
import { categorySchema, chapterSchema, contentSchema, tagSchema } from '../../features/content/content.js';
import { gameDetailsSchema, gameSchema } from '../../features/games/game.js';
import { healthSchema, livenessSchema } from '../../features/health/health.js';
import { historyPointSchema } from '../../features/history/history.js';
import { hideableMembers } from '../../model/field-policy.js';
import { handleMappingSchema, profileSchema } from '../../features/profiles/profile.js';
import { usageLineSchema } from '../../features/quota/usage-line.js';
import type { Schema } from '../../http/envelope/envelope-schemas.js';

const COMPONENTS = {
  Profile: profileSchema,
  HandleMapping: handleMappingSchema,
  HistoryPoint: historyPointSchema,
  Content: contentSchema,
  Category: categorySchema,
  Tag: tagSchema,
  Chapter: chapterSchema,
  Game: gameSchema,
  GameDetails: gameDetailsSchema,
  CreatorAnalysis: creatorAnalysisSchema,
  AudienceAnalysis: audienceAnalysisSchema,
  SocialLink: socialLinkSchema,
  Email: emailSchema,
  Change: changeSchema,
  GameChange: gameChangeSchema,
  UsageLine: usageLineSchema,
  Health: healthSchema,
  Liveness: livenessSchema,
} satisfies Record<string, z.ZodType>;

type ComponentName = keyof typeof COMPONENTS;

/** Creates the payload schemas, for `components.schemas`, from the schemas that validate the import. */
export function createOpenApiSchemas(): Record<ComponentName, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id: name });

  const { schemas } = z.toJSONSchema(registry, {
    target: 'draft-2020-12',
    io: 'output',
    uri: (name) => `#/components/schemas/${name}`,
    override: ({ jsonSchema }) => {
      // Responses always contain every member, so the import's defaults do not apply.
      delete jsonSchema.default;
      // The import rejects unknown members, but clients must accept those of later versions.
      delete jsonSchema.additionalProperties;
    },
  });
  const described: Record<string, Schema> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const { $id: _id, $schema: _dialect, ...rest } = joinNullTypes(schema) as Record<string, unknown>;
    allowHiding(rest);
    described[name] = rest;
  }
  return described as Record<ComponentName, Schema>;
}

/** Writes "this type or null" as a list of two types, which all client generators understand. */
function joinNullTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(joinNullTypes);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { anyOf, ...rest } = schema as { anyOf?: readonly { type?: unknown }[] };
  const joined = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, joinNullTypes(inner)]));
  if (anyOf === undefined) return joined;
  const [first, second] = anyOf;
  if (anyOf.some((choice) => '$ref' in choice)) return { ...joined, anyOf: anyOf.map(joinNullTypes) };
  if (anyOf.length !== 2 || typeof first?.type !== 'string' || second?.type !== 'null') {
    throw new Error(`anyOf must be a type and null: ${JSON.stringify(schema)}`);
  }
  return { ...(joinNullTypes(first) as object), ...joined, type: [first.type, 'null'] };
}

/** Makes hideable members nullable at any depth. A hidden list is [], so its type stays the same. */
function allowHiding(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, inner] of Object.entries(schema)) {
    if (name === 'properties') for (const member of hideableMembers()) allowNull((inner as PropertySchemas)[member]);
    allowHiding(inner);
  }
}

type PropertySchemas = Readonly<Partial<Record<string, { type?: unknown }>>>;

function allowNull(member: PropertySchemas[string]): void {
  if (typeof member?.type === 'string' && member.type !== 'array') member.type = [member.type, 'null'];
}
