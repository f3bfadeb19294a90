import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../files/project-root.js';
import { yamlDocuments } from '../files/yaml.js';

const FOLDER = 'deploy/kubernetes';

/** The members of a container that tests read; the schemas of Kubernetes check the others. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly workingDir?: string;
  readonly envFrom: readonly { readonly configMapRef?: Named; readonly secretRef?: Named }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly securityContext: object;
  readonly resources: { readonly requests: object; readonly limits: object };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Named {
  readonly name: string;
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly timeoutSeconds: number;
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

export interface PodTemplate {
  readonly metadata: { readonly labels: Labels };
  readonly spec: {
    readonly containers: readonly [Container];
    readonly volumes?: readonly { readonly name: string }[];
    readonly securityContext: object;
    readonly terminationGracePeriodSeconds?: number;
    readonly enableServiceLinks?: boolean;
    readonly automountServiceAccountToken?: boolean;
  };
}

export type Labels = Readonly<Record<string, string>>;

/** A Kubernetes object. */
export interface Manifest<Spec = unknown> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Labels };
  readonly spec: Spec;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

export interface Kustomization {
  readonly namespace: string;
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string; readonly newName: string; readonly newTag: string }[];
}

export const FILES: readonly string[] = readdirSync(join(ROOT, FOLDER));

export const manifestsIn = (file: string): Manifest[] => yamlDocuments(join(FOLDER, file)) as Manifest[];

export const [KUSTOMIZATION] = yamlDocuments(join(FOLDER, 'kustomization.yaml')) as [Kustomization];

/** Objects that `kubectl apply -k` creates. */
export const MANIFESTS: readonly Manifest[] = KUSTOMIZATION.resources.flatMap(manifestsIn);

/** Secrets of the example. */
export const SECRETS: readonly Manifest[] = manifestsIn('secrets.example.yaml');

/** Returns the only object of a kind with a name. @throws Error unless there is exactly one */
export function manifest<Spec>(kind: string, name: string): Manifest<Spec> {
  const found = [...MANIFESTS, ...SECRETS].filter((each) => each.kind === kind && each.metadata.name === name);
  if (found.length !== 1) throw new Error(`expected one ${kind} ${name}, found ${found.length}`);
  return found[0] as Manifest<Spec>;
}

/** Templates of all pods, by the object that creates them. */
export const PODS: Readonly<Record<string, PodTemplate>> = {
  service: manifest<{ template: PodTemplate }>('StatefulSet', 'creator-data').spec.template,
  migrate: manifest<{ template: PodTemplate }>('Job', 'migrate').spec.template,
  collect: manifest<{ jobTemplate: { spec: { template: PodTemplate } } }>('CronJob', 'collect').spec.jobTemplate.spec
    .template,
  operator: manifest<{ jobTemplate: { spec: { template: PodTemplate } } }>('CronJob', 'operator').spec.jobTemplate.spec
    .template,
};

export const containerOf = (pod: string): Container => {
  const [container] = PODS[pod]?.spec.containers ?? [];
  if (container === undefined) throw new Error(`unknown pod ${pod}`);
  return container;
};

/** Returns the arguments of a container's `node` command. */
export const programOf = (pod: string): readonly string[] => {
  const [node, ...args] = containerOf(pod).command;
  if (node !== 'node') throw new Error(`the pod ${pod} runs ${String(node)} instead of node`);
  return args;
};

/** Returns the environment of a container, with the example values of the secrets. */
export const environmentOf = (pod: string): Readonly<Record<string, string>> =>
  Object.assign(
    {},
    ...containerOf(pod).envFrom.map(({ configMapRef, secretRef }) =>
      configMapRef === undefined
        ? manifest('Secret', secretRef?.name ?? '').stringData
        : manifest('ConfigMap', configMapRef.name).data,
    ),
  ) as Record<string, string>;
