import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/model/config.js';
import { COLLECT_VARIABLES } from '../../../src/operator/collect/collect-settings.js';
import { ROOT } from '../../support/files/project-root.js';
import {
  containerOf,
  environmentOf,
  FILES,
  KUSTOMIZATION,
  manifest,
  MANIFESTS,
  PODS,
  SECRETS,
  type Labels,
  type Manifest,
} from '../../support/deployment/kubernetes.js';
import { schemaProblem, typeProblems } from '../../support/deployment/kubernetes-schemas.js';

const ALL = [...MANIFESTS, ...SECRETS];

const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;

interface Selector {
  readonly matchLabels?: Labels;
}

/** Returns whether a selector matches labels; one without labels matches all. */
const selects = ({ matchLabels = {} }: Selector, labels: Labels = {}): boolean =>
  Object.entries(matchLabels).every(([name, value]) => labels[name] === value);

/** Lists the pods that a selector matches. */
const selected = (selector: Selector): string[] =>
  Object.keys(PODS).filter((pod) => selects(selector, PODS[pod]?.metadata.labels));

/** Returns the configuration that an environment results in, or its error. */
const outcomeOf = (environment: Readonly<Record<string, string>>): string => {
  try {
    return JSON.stringify(readConfig({ DATABASE_URL: 'mysql://host/x', ...environment }));
  } catch (error) {
    return String(error);
  }
};

/** Returns whether the service reads a variable. */
const isSetting = (name: string): boolean =>
  outcomeOf({ [name]: 'no such value' }) !== outcomeOf({}) || (COLLECT_VARIABLES as readonly string[]).includes(name);

describe('deploy/kubernetes', () => {
  describe('by the schemas of Kubernetes', () => {
    it.each(ALL.map((object) => [nameOf(object), object] as const))('has a valid %s', async (_name, object) => {
      expect(await schemaProblem(object)).toBeNull();
    });

    it('has only known members; an unknown one is rejected', () => {
      expect(typeProblems(ALL)).toEqual([]);
      const [set] = MANIFESTS.filter(({ kind }) => kind === 'StatefulSet');
      const text = JSON.stringify(set).replace('"httpGet"', '"httpget"');
      expect(typeProblems([JSON.parse(text) as Manifest])).toEqual([expect.stringContaining('httpget')]);
    });

    it('is rejected with an unknown value', async () => {
      const budget = manifest<object>('PodDisruptionBudget', 'creator-data');
      const changed = { ...budget, spec: { ...budget.spec, unhealthyPodEvictionPolicy: 'Always' } };
      expect(await schemaProblem(changed)).toMatch(/unhealthyPodEvictionPolicy/);
    });
  });

  it('applies every file but the secrets, once, and no two objects with one name', () => {
    const { resources, ...rest } = KUSTOMIZATION;
    const others = ['kustomization.yaml', 'secrets.example.yaml'];
    expect([...resources].toSorted()).toEqual(FILES.filter((file) => !others.includes(file)).toSorted());
    expect(Object.keys(rest).toSorted()).toEqual(['apiVersion', 'images', 'kind', 'namespace']);
    expect(new Set(ALL.map(nameOf)).size).toBe(ALL.length);
  });

  it('puts every object into the namespace that it creates', () => {
    const { namespace } = KUSTOMIZATION;
    expect(manifest('Namespace', namespace)).toBeDefined();
    // The kustomization adds the namespace to all objects but the secrets, which are not part of it.
    expect(SECRETS.map(({ metadata }) => metadata.namespace)).toEqual(SECRETS.map(() => namespace));
  });

  it('has one image, which kustomization.yaml replaces by its name', () => {
    expect(Object.keys(PODS).map((pod) => containerOf(pod).image)).toEqual([
      'creator-data',
      'creator-data',
      'creator-data',
      'creator-data',
    ]);
    expect(KUSTOMIZATION.images.map(({ name }) => name)).toEqual(['creator-data']);
  });

  describe.each(Object.keys(PODS))('the pod "%s"', (pod) => {
    const { spec } = PODS[pod] ?? { spec: undefined };

    it('meets the restricted pod security standard', () => {
      expect(spec?.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(containerOf(pod).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(spec?.automountServiceAccountToken).toBe(false);
    });

    it('gets only settings that the service reads, with valid values', () => {
      const environment = environmentOf(pod);
      expect(Object.keys(environment).filter((name) => !isSetting(name))).toEqual([]);
      expect(isSetting('METRIC_PORT')).toBe(false);
      expect(readConfig(environment).database).toMatchObject({ dialect: 'mysql' });
      // Kubernetes would add variables for each Service, such as METRICS_PORT for one with that name.
      expect(spec?.enableServiceLinks).toBe(false);
    });

    it('gets its password from a secret, separately from the URL', () => {
      const { data = {} } = manifest('ConfigMap', `${pod === 'service' ? pod : 'operator'}-settings`);
      expect(Object.keys(data)).not.toContain('DATABASE_PASSWORD');
      expect(new URL(data.DATABASE_URL ?? '').password).toBe('');
      expect(environmentOf(pod).DATABASE_PASSWORD).toBeDefined();
    });

    it('limits its memory to more than measured: 250 MiB, and 463 MiB while the search index is built', () => {
      const { requests, limits } = containerOf(pod).resources;
      expect(limits).toEqual({ memory: pod === 'service' ? '1Gi' : '512Mi' });
      expect(Object.keys(requests)).toEqual(['cpu', 'memory']);
    });

    it('mounts only its own volumes', () => {
      const claims = manifest<{ volumeClaimTemplates: Manifest[] }>('StatefulSet', 'creator-data').spec
        .volumeClaimTemplates;
      const volumes =
        pod === 'service' ? claims.map(({ metadata }) => metadata.name) : spec?.volumes?.map(({ name }) => name);
      expect((containerOf(pod).volumeMounts ?? []).map(({ name }) => name)).toEqual(volumes ?? []);
    });
  });

  it('keeps DATA_DIR on the volume claim, and so outage records when a pod is scaled down', () => {
    const { dataFolder } = readConfig(environmentOf('service'));
    expect(containerOf('service').volumeMounts).toEqual([{ name: 'data', mountPath: dataFolder }]);
    expect(manifest('StatefulSet', 'creator-data').spec).toMatchObject({
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    });
  });

  it('exposes the container ports that the settings name', () => {
    const { port, metricsPort, trustProxy } = readConfig(environmentOf('service'));
    expect(containerOf('service').ports).toEqual([
      { name: 'http', containerPort: port },
      { name: 'metrics', containerPort: metricsPort },
    ]);
    expect(trustProxy).toBe(1);
  });

  describe('its selectors', () => {
    it.each([
      ['StatefulSet', 'creator-data', ({ selector }: { selector: Selector }) => selector],
      ['PodDisruptionBudget', 'creator-data', ({ selector }: { selector: Selector }) => selector],
      ['Service', 'creator-data', ({ selector }: { selector: Labels }) => ({ matchLabels: selector })],
      ['Service', 'creator-data-pods', ({ selector }: { selector: Labels }) => ({ matchLabels: selector })],
      ['NetworkPolicy', 'service', ({ podSelector }: { podSelector: Selector }) => podSelector],
    ])('of %s %s select only the pods of the service', (kind, name, selectorOf) => {
      expect(selected(selectorOf(manifest<never>(kind, name).spec))).toEqual(['service']);
    });

    it('of the spread constraints select the pods of the service', () => {
      const { spec } = PODS.service as unknown as {
        spec: { topologySpreadConstraints: { topologyKey: string; labelSelector: Selector }[] };
      };
      expect(spec.topologySpreadConstraints.map((each) => [each.topologyKey, selected(each.labelSelector)])).toEqual([
        ['topology.kubernetes.io/zone', ['service']],
        ['kubernetes.io/hostname', ['service']],
      ]);
    });
  });

  it('scales the existing workload, which does not set its own number of replicas', () => {
    const { scaleTargetRef, minReplicas } = manifest<{
      scaleTargetRef: { apiVersion: string; kind: string; name: string };
      minReplicas: number;
    }>('HorizontalPodAutoscaler', 'creator-data').spec;
    const workload = manifest<object>(scaleTargetRef.kind, scaleTargetRef.name);
    expect(workload.apiVersion).toBe(scaleTargetRef.apiVersion);
    expect(workload.spec).not.toHaveProperty('replicas');
    // The disruption budget permits one pod to stop.
    expect(minReplicas).toBeGreaterThan(1);
    expect(workload.spec).toHaveProperty('serviceName', manifest('Service', 'creator-data-pods').metadata.name);
  });

  it('names only container ports in services and policies', () => {
    const names = containerOf('service').ports?.map(({ name }) => name) ?? [];
    const { ingress } = manifest<{ ingress: { ports: { port: string }[] }[] }>('NetworkPolicy', 'service').spec;
    expect(ingress.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual(names);
    const targets = ['creator-data', 'creator-data-pods'].flatMap((name) =>
      manifest<{ ports: { targetPort: string }[] }>('Service', name).spec.ports.map(({ targetPort }) => targetPort),
    );
    expect(targets).toEqual(names);
  });

  it('permits pods to connect only to their stores and to DNS', () => {
    const { podSelector, egress } = manifest<{ podSelector: Selector; egress: { ports: { port: number }[] }[] }>(
      'NetworkPolicy',
      'stores',
    ).spec;
    expect(selected(podSelector)).toEqual(Object.keys(PODS));
    const { DATABASE_URL = '', REDIS_URL = '' } = environmentOf('service');
    const stores = [DATABASE_URL, REDIS_URL].map((url) => Number(new URL(url).port));
    expect(egress.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([53, 53, ...stores]);
    expect(manifest('NetworkPolicy', 'nothing-else').spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it('has every object that the commands of docs/operations.md name', () => {
    const [, section = ''] =
      /^### On Kubernetes$(.*?)^## /ms.exec(readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')) ?? [];
    const named = [...section.matchAll(/\b(cronjob|statefulset|job)\/([\w-]+)|secret generic ([\w-]+)/g)];
    const kinds: Readonly<Record<string, string>> = { cronjob: 'CronJob', statefulset: 'StatefulSet', job: 'Job' };
    // A command creates it from the CronJob.
    const made = 'Job operator';
    const names = named.map(([, kind, name, secret]) => (secret ? `Secret ${secret}` : `${kinds[kind ?? '']} ${name}`));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => name !== made && !ALL.map(nameOf).includes(name))).toEqual([]);
    const literals = [...section.matchAll(/--from-literal=(\w+)=/g)].map(([, name]) => name);
    expect(literals).toEqual(SECRETS.flatMap(({ stringData = {} }) => Object.keys(stringData)));
    expect(section).toContain(`kubectl -n ${KUSTOMIZATION.namespace} `);
  });
});
