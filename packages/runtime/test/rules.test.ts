import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { flattenRules, expandHome, RuleSet } from "../dist/src/permission/rules.js";
import { ruleText } from "../dist/src/permission/text.js";
import type { PermissionMap, Rule } from "../dist/src/index.js";

const action = (rules: Rule[] | PermissionMap, permission: string, text = "x"): string =>
  new RuleSet(flattenRules(rules)).judge({ permission, spellings: [text] }).action;
const rule = (permission: string, pattern: string, act: Rule["action"], source?: Rule["source"]): Rule => ({
  permission,
  pattern,
  action: act,
  ...(source && { source }),
});

describe("rules from the nested map", () => {
  it("flattens in order, a plain action is about every pattern", () => {
    expect(flattenRules({ edit: "ask", bash: { "git status *": "allow", "*": "deny" } })).toEqual([
      { permission: "edit", pattern: "*", action: "ask", source: "user" },
      { permission: "bash", pattern: "git status *", action: "allow", source: "user" },
      { permission: "bash", pattern: "*", action: "deny", source: "user" },
    ]);
  });
  it("keeps triples and their source", () =>
    expect(flattenRules([rule("a", "b", "deny", "project")])).toEqual([rule("a", "b", "deny", "project")]));
  it("expands ~ and $HOME at the start", () => {
    expect(flattenRules({ read: { "~/x/*": "deny", "$HOME/y": "deny", "~": "deny", "~other": "deny" } }).map((one) => one.pattern)).toEqual(
      [`${homedir()}/x/*`, `${homedir()}/y`, homedir(), "~other"],
    );
    expect(expandHome("a/~/b")).toBe("a/~/b");
  });
  it("refuses an unknown action", () => {
    expect(() => flattenRules({ edit: "maybe" as never })).toThrow(/"allow", "deny" or "ask"/);
    expect(() => flattenRules({ edit: null as never })).toThrow(TypeError);
  });
});

describe("the answer", () => {
  it("asks if nothing matches", () => expect(action({}, "github.create_issue")).toBe("ask"));
  it("takes the last match", () => {
    expect(action({ bash: { "*": "deny", "git *": "allow" } }, "bash", "git push")).toBe("allow");
    expect(action({ bash: { "git *": "allow", "*": "deny" } }, "bash", "git push")).toBe("deny");
    expect(action({ "*": "allow", "github.*": "ask" }, "github.x")).toBe("ask");
  });
  it("matches permissions with wildcards, case-sensitively", () => {
    expect(action({ "git*.list_?": "allow" }, "github.list_a")).toBe("allow");
    expect(action({ "GitHub.*": "allow" }, "github.list_a")).toBe("ask");
  });
  it("knows other names: bash is shell, webfetch is fetch, write and apply_patch are edit", () => {
    for (const [name, other] of [
      ["bash", "shell"],
      ["webfetch", "fetch"],
      ["write", "edit"],
      ["apply_patch", "edit"],
    ]) {
      expect(action({ [name]: "deny" }, other)).toBe("deny");
      expect(action({ [other]: "deny" }, name)).toBe("deny");
    }
    expect(action({ "web*": "deny" }, "fetch")).toBe("deny");
  });

  it("orders defaults, user, project, saved, --allow, --deny, however they come", () => {
    const all = [
      rule("p", "*", "deny", "flag"),
      rule("p", "*", "allow", "flag"),
      rule("p", "*", "ask", "saved"),
      rule("p", "*", "allow", "project"),
      rule("p", "*", "ask", "user"),
      rule("p", "*", "allow", "default"),
    ];
    expect(action(all, "p")).toBe("deny");
    expect(action(all.slice(1), "p")).toBe("allow");
    expect(action(all.slice(2), "p")).toBe("ask");
    expect(action(all.slice(3), "p")).toBe("allow");
    expect(action(all.slice(4), "p")).toBe("ask");
    expect(action(all.slice(5), "p")).toBe("allow");
  });

  it.each(["saved", "flag"] as const)("a deny that is last among user and project beats %s", (source) => {
    for (const config of ["user", "project"] as const) {
      expect(action([rule("p", "*", "deny", config), rule("*", "*", "allow", source)], "p")).toBe("deny");
    }
    // Not the last among them: it does not.
    expect(action([rule("p", "*", "deny", "user"), rule("p", "*", "ask", "project"), rule("*", "*", "allow", source)], "p")).toBe("allow");
    // A default is not the user's word.
    expect(action([rule("p", "*", "deny", "default"), rule("*", "*", "allow", source)], "p")).toBe("allow");
    // It denies this pattern only.
    expect(action([rule("p", "rm *", "deny", "user"), rule("*", "*", "allow", source)], "p", "ls")).toBe("allow");
  });

  it("saved approvals are kept once, behind the configuration and before the flags", () => {
    const set = new RuleSet(flattenRules([rule("p", "*", "ask", "project"), rule("p", "z", "deny", "flag")]));
    expect(set.save(rule("p", "*", "allow"))).toBe(true);
    expect(set.save(rule("p", "*", "allow"))).toBe(false);
    expect(set.judge({ permission: "p", spellings: ["a"] }).action).toBe("allow");
    expect(set.judge({ permission: "p", spellings: ["z"] }).action).toBe("deny");
  });

  it("rules as text show where they are from", () => {
    expect(ruleText(rule("bash", "rm *", "deny", "project"))).toBe('"bash": { "rm *": "deny" } (project)');
    expect(ruleText(rule("edit", "*", "ask"))).toBe('"edit": "ask" (user)');
  });
});
