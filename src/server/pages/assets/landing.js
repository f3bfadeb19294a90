import { addCopyButtons, enableCopying, fillExamples } from './examples.js';

const byId = (id) => document.getElementById(id);
const tabs = [...document.querySelectorAll('[role=tab]')];

const panelOf = (tab) => byId(tab.getAttribute('aria-controls'));

function choose(chosen) {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    panelOf(tab).hidden = !isChosen;
  }
}

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

function moveByKeys(event) {
  const from = tabs.indexOf(event.target);
  const targets = { Home: 0, End: tabs.length - 1 };
  const to = targets[event.key] ?? (from + (STEPS[event.key] ?? 0) + tabs.length) % tabs.length;
  if (to === from) return;
  event.preventDefault();
  choose(tabs[to]);
  tabs[to].focus();
}

for (const tab of tabs) {
  tab.addEventListener('click', () => choose(tab));
  tab.addEventListener('keydown', moveByKeys);
}
document.querySelector('[role=tablist]').hidden = false;
choose(tabs[0]);
enableCopying(byId('copy'), () => panelOf(tabs.find((tab) => tab.tabIndex === 0)).textContent);
addCopyButtons('pre.request:not([role])');
fillExamples();
