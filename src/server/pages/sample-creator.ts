import recorded from '../openapi/generated/examples.json' with { type: 'json' };
import { PLATFORMS } from '../../model/platforms.js';
import { renderBars } from './bars.js';
import { escapeHtml } from './page-files.js';

/** Answers about the first creator of the sample data, as recorded from a service that has it. */
const profile = recorded['profiles.get'].response.payload;
const stream = recorded['content.get'].response.payload;
const audience = recorded['audience.get'].response.payload;
const accounts = recorded['socials.get'].response.payload;
const game = recorded['games.get'].response.payload;

export const SAMPLE_NAME = profile.display_name;

/** Countries that the card names. */
const COUNTRIES = 3;

const regions = new Intl.DisplayNames(['en'], { type: 'region' });
const languages = new Intl.DisplayNames(['en'], { type: 'language' });
const formatNumber = (value: number): string => value.toLocaleString('en');
const formatPercent = (value: number): string => `${value.toFixed(1)}%`;
const formatDate = (instant: string): string =>
  new Date(instant).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });

/** Renders a card about the sample creator. It needs no stored data, so it is the same on every installation. */
export function renderSampleCreator(): string {
  return [renderProfile(), renderAudience(), renderAccounts(), renderContent(), renderGame()].join('\n');
}

const renderPart = (operation: string, title: string, body: string): string =>
  `<section data-operation="${operation}"><h3>${title}</h3>${body}</section>`;

const renderFigures = (figures: readonly (readonly [name: string, value: string])[]): string =>
  `<dl class="figures">${figures.map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>`;

function renderProfile(): string {
  const { display_name, name, description, language, account_type, statistics } = profile;
  return `<header data-operation="profiles.get">
  <img src="sample-creator.svg" alt="Drawing of ${escapeHtml(display_name)}" width="88" height="88" />
  <div><h3>${escapeHtml(display_name)}</h3><p class="quiet">@${escapeHtml(name)} · ${escapeHtml(account_type)} · ${escapeHtml(languages.of(language) ?? language)}</p></div>
  <p>${escapeHtml(description)}</p>
  ${renderFigures([
    ['Followers', formatNumber(statistics.followers)],
    ['Views, estimated', formatNumber(statistics.views_estimated)],
  ])}
</header>`;
}

function renderAudience(): string {
  const { age_ranges, gender_distribution, countries } = audience;
  const ages = age_ranges.map(({ value, percentage }) => ({
    label: value.replace('-', '–'),
    value: percentage,
    text: formatPercent(percentage),
  }));
  const genders = Object.entries(gender_distribution).map(
    ([gender, { percentage }]) => `${gender.replace('_', '-')} ${formatPercent(percentage)}`,
  );
  const first = countries
    .slice(0, COUNTRIES)
    .map(({ value, percentage }) => `${regions.of(value) ?? value} ${formatPercent(percentage)}`);
  return renderPart(
    'audience.get',
    'Audience',
    `${renderBars('By age', ['Age', 'Share'], ages)}
<p class="quiet">${escapeHtml(genders.join(' · '))}<br />${escapeHtml(first.join(' · '))}</p>`,
  );
}

function renderAccounts(): string {
  const followers = new Map(accounts.map((account) => [account.platform_id, account.followers]));
  followers.set(profile.platform_id, profile.statistics.followers);
  const bars = PLATFORMS.flatMap((platform) => {
    const value = followers.get(platform);
    return value === undefined ? [] : [{ label: platform, value, text: formatNumber(value) }];
  });
  return renderPart('socials.get', 'Accounts', renderBars('Followers by platform', ['Platform', 'Followers'], bars));
}

function renderContent(): string {
  const { title, created_at, statistics } = stream;
  return renderPart(
    'content.get',
    'Stream',
    `<p><strong>${escapeHtml(title)}</strong><br /><span class="quiet">${formatDate(created_at)}</span></p>
${renderFigures([
  ['Viewers, average', formatNumber(Math.round(statistics.viewers.avg))],
  ['Viewers, peak', formatNumber(statistics.viewers.max)],
])}`,
  );
}

function renderGame(): string {
  const { name, first_release_date, total_rating_count } = game;
  return renderPart(
    'games.get',
    'Game',
    `<p><strong>${escapeHtml(name)}</strong><br />
<span class="quiet">Released ${formatDate(first_release_date)} · ${formatNumber(total_rating_count)} ratings</span></p>`,
  );
}
