import type { OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { audienceAnalysisSchema } from '../../features/analysis/audience-analysis.js';
import { creatorAnalysisSchema } from '../../features/analysis/creator-analysis.js';
import { emailSchema } from '../../features/analysis/email.js';
import { socialLinkSchema } from '../../features/analysis/social-link.js';
import { categorySchema, chapterSchema, contentSchema, tagSchema } from '../../features/content/content.js';
import { gameDetailsSchema, gameSchema } from '../../features/games/game.js';
import { HIDEABLE_MEMBERS } from '../../model/field-policy.js';
import { handleMappingSchema, profileSchema } from '../../features/profiles/profile.js';
import { usageLineSchema } from '../../features/quota/usage-line.js';

type ComponentSchemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type SchemaObject = Exclude<ComponentSchemas[string], { $ref: string }>;

const COMPONENTS = {
  Profile: profileSchema,
  HandleMapping: handleMappingSchema,
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
  UsageLine: usageLineSchema,
} satisfies Record<string, z.ZodType>;

/** The names under which `openApiSchemas` describes the payloads, for references from an operation's response. */
type ComponentName = keyof typeof COMPONENTS;

/** The OpenAPI 3.0 schemas of every payload, ready for `components.schemas`, derived from what validates the import. */
export function openApiSchemas(): Record<ComponentName, SchemaObject> {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id: name });

  const { schemas } = z.toJSONSchema(registry, {
    target: 'openapi-3.0',
    io: 'output',
    uri: (name) => `#/components/schemas/${name}`,
    // Answers always contain every member, so the import's defaults are left out.
    override: ({ jsonSchema }) => delete jsonSchema.default,
  });
  for (const schema of Object.values(schemas)) {
    delete schema.$id; // JSON Schema only, unknown to OpenAPI
    allowHiding(schema);
  }
  // The generator types its result as the newest JSON Schema; the content is OpenAPI 3.0.
  return schemas as Record<ComponentName, SchemaObject>;
}

/** A key's policy makes null of what it hides, at any depth; an empty list is as good as a full one. */
function allowHiding(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, inner] of Object.entries(schema)) {
    if (name === 'properties') for (const member of HIDEABLE_MEMBERS) allowNull((inner as Members)[member]);
    allowHiding(inner);
  }
}

type Members = Readonly<Partial<Record<string, { type?: unknown; nullable?: boolean }>>>;

function allowNull(member: Members[string]): void {
  if (member !== undefined && member.type !== 'array') member.nullable = true;
}
