"""Every setting of the recipe as a keyword. Written by python/tools/make_settings.py: do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._data import Dataset

#: Keyword by key of the command's ``--set``.
KEYWORDS: dict[str, str] = {
    "network.kind": "network",
    "graph_model": "graph_model",
    "features.scaling": "features_scaling",
    "network.layers": "network_layers",
    "network.hidden": "network_hidden",
    "network.dropout": "network_dropout",
    "network.learning_rate": "network_learning_rate",
    "network.weight_decay": "network_weight_decay",
    "network.epochs": "network_epochs",
    "network.patience": "network_patience",
    "network.order": "network_order",
    "network.heads": "network_heads",
    "network.output_heads": "network_output_heads",
    "schedule.kind": "schedule",
    "schedule.pretraining": "schedule_pretraining",
    "schedule.draws": "schedule_draws",
    "schedule.averaged": "schedule_averaged",
    "schedule.infer_every": "schedule_infer_every",
    "schedule.samples": "schedule_samples",
    "schedule.lambdas": "schedule_lambdas",
    "schedule.graph_epochs": "schedule_graph_epochs",
    "schedule.weight_sampling": "schedule_weight_sampling",
    "schedule.sgld_step": "schedule_sgld_step",
    "schedule.sgld_temperature": "schedule_sgld_temperature",
    "schedule.sgld_memory": "schedule_sgld_memory",
    "schedule.sgld_floor": "schedule_sgld_floor",
    "schedule.keep": "schedule_keep",
    "belief.propagation_steps": "belief_propagation_steps",
    "belief.self_weight": "belief_self_weight",
    "belief.neighbour_agreement": "belief_neighbour_agreement",
    "belief.feature_weight": "belief_feature_weight",
    "average.evidence": "average_evidence",
    "average.hidden_share": "average_hidden_share",
    "average.density_share": "average_density_share",
    "average.non_links": "average_non_links",
    "links.doubted": "links_doubted",
    "links.decoys": "links_decoys",
    "links.decoy_share": "links_decoy_share",
    "links.missing_share": "links_missing_share",
    "mmsbm.weight": "mmsbm_weight",
    "mmsbm.observed_edges": "mmsbm_observed_edges",
    "mmsbm.communities": "mmsbm_communities",
    "mmsbm.inference": "mmsbm_inference",
    "mmsbm.iterations": "mmsbm_iterations",
    "mmsbm.delta": "mmsbm_delta",
    "mmsbm.eta": "mmsbm_eta",
    "mmsbm.alpha": "mmsbm_alpha",
    "mmsbm.rho": "mmsbm_rho",
    "mmsbm.minibatch": "mmsbm_minibatch",
    "mmsbm.non_edge_share": "mmsbm_non_edge_share",
    "mmsbm.eps_0": "mmsbm_eps_0",
    "mmsbm.tau": "mmsbm_tau",
    "mmsbm.kappa": "mmsbm_kappa",
    "mmsbm.first_step": "mmsbm_first_step",
    "mmsbm.scale_iterations": "mmsbm_scale_iterations",
    "mmsbm.scale_step": "mmsbm_scale_step",
    "mmsbm.rows": "mmsbm_rows",
    "mmsbm.phi_scale": "mmsbm_phi_scale",
    "mmsbm.theta_scale": "mmsbm_theta_scale",
    "mmsbm.beta_update": "mmsbm_beta_update",
    "mmsbm.prior_strength": "mmsbm_prior_strength",
    "mmsbm.damping": "mmsbm_damping",
    "mmsbm.tolerance": "mmsbm_tolerance",
    "mmsbm.drift": "mmsbm_drift",
    "mmsbm.burn_in": "mmsbm_burn_in",
    "mmsbm.langevin_step": "mmsbm_langevin_step",
    "mmsbm.draw": "mmsbm_draw",
    "mmsbm.stop_below": "mmsbm_stop_below",
    "mmsb.weight": "mmsb_weight",
    "mmsb.observed_edges": "mmsb_observed_edges",
    "mmsb.communities": "mmsb_communities",
    "mmsb.iterations": "mmsb_iterations",
    "mmsb.prior_strength": "mmsb_prior_strength",
    "mmsb.damping": "mmsb_damping",
    "mmsb.block_prior": "mmsb_block_prior",
    "mmsb.tolerance": "mmsb_tolerance",
    "mmsb.draw": "mmsb_draw",
    "mmsb.stop_below": "mmsb_stop_below",
    "sbm.weight": "sbm_weight",
    "sbm.observed_edges": "sbm_observed_edges",
    "sbm.communities": "sbm_communities",
    "sbm.iterations": "sbm_iterations",
    "sbm.prior_strength": "sbm_prior_strength",
    "sbm.damping": "sbm_damping",
    "sbm.block_prior": "sbm_block_prior",
    "sbm.draw": "sbm_draw",
    "sbm.stop_below": "sbm_stop_below",
    "dcsbm.weight": "dcsbm_weight",
    "dcsbm.observed_edges": "dcsbm_observed_edges",
    "dcsbm.communities": "dcsbm_communities",
    "dcsbm.iterations": "dcsbm_iterations",
    "dcsbm.prior_strength": "dcsbm_prior_strength",
    "dcsbm.damping": "dcsbm_damping",
    "dcsbm.block_prior": "dcsbm_block_prior",
    "dcsbm.draw": "dcsbm_draw",
    "dcsbm.stop_below": "dcsbm_stop_below",
    "dcsbm.degree_prior": "dcsbm_degree_prior",
    "copying.weight": "copying_weight",
    "copying.observed_edges": "copying_observed_edges",
    "copying.communities": "copying_communities",
    "copying.copy": "copying_copy",
    "copying.copies": "copying_copies",
    "copying.assignment": "copying_assignment",
    "erase.drop_rate": "erase_drop_rate",
}


class Settings:
    """What an estimator is made with; ``None`` leaves a setting to the recipe."""

    def __init__(
        self,
        *,
        network: str | None = None,
        graph_model: str | None = None,
        preset: str | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        verbose: bool = False,
        graph: Dataset | None = None,
        features_scaling: str | None = None,
        network_layers: int | None = None,
        network_hidden: int | None = None,
        network_dropout: float | None = None,
        network_learning_rate: float | None = None,
        network_weight_decay: float | None = None,
        network_epochs: int | None = None,
        network_patience: int | str | None = None,
        network_order: int | None = None,
        network_heads: int | None = None,
        network_output_heads: int | None = None,
        schedule: str | None = None,
        schedule_pretraining: int | None = None,
        schedule_draws: int | None = None,
        schedule_averaged: int | None = None,
        schedule_infer_every: int | None = None,
        schedule_samples: int | None = None,
        schedule_lambdas: int | None = None,
        schedule_graph_epochs: int | None = None,
        schedule_weight_sampling: str | None = None,
        schedule_sgld_step: float | None = None,
        schedule_sgld_temperature: float | None = None,
        schedule_sgld_memory: float | None = None,
        schedule_sgld_floor: float | None = None,
        schedule_keep: int | None = None,
        belief_propagation_steps: int | None = None,
        belief_self_weight: float | None = None,
        belief_neighbour_agreement: float | None = None,
        belief_feature_weight: float | None = None,
        average_evidence: float | None = None,
        average_hidden_share: float | None = None,
        average_density_share: float | None = None,
        average_non_links: int | None = None,
        links_doubted: str | None = None,
        links_decoys: str | None = None,
        links_decoy_share: float | None = None,
        links_missing_share: float | None = None,
        mmsbm_weight: float | None = None,
        mmsbm_observed_edges: str | None = None,
        mmsbm_communities: int | None = None,
        mmsbm_inference: str | None = None,
        mmsbm_iterations: int | None = None,
        mmsbm_delta: float | str | None = None,
        mmsbm_eta: float | None = None,
        mmsbm_alpha: float | None = None,
        mmsbm_rho: float | None = None,
        mmsbm_minibatch: int | None = None,
        mmsbm_non_edge_share: float | None = None,
        mmsbm_eps_0: float | None = None,
        mmsbm_tau: float | None = None,
        mmsbm_kappa: float | None = None,
        mmsbm_first_step: int | None = None,
        mmsbm_scale_iterations: int | None = None,
        mmsbm_scale_step: float | None = None,
        mmsbm_rows: str | None = None,
        mmsbm_phi_scale: float | None = None,
        mmsbm_theta_scale: float | str | None = None,
        mmsbm_beta_update: str | None = None,
        mmsbm_prior_strength: float | None = None,
        mmsbm_damping: float | None = None,
        mmsbm_tolerance: float | None = None,
        mmsbm_drift: str | None = None,
        mmsbm_burn_in: int | None = None,
        mmsbm_langevin_step: float | None = None,
        mmsbm_draw: str | None = None,
        mmsbm_stop_below: float | None = None,
        mmsb_weight: float | None = None,
        mmsb_observed_edges: str | None = None,
        mmsb_communities: int | None = None,
        mmsb_iterations: int | None = None,
        mmsb_prior_strength: float | None = None,
        mmsb_damping: float | None = None,
        mmsb_block_prior: float | None = None,
        mmsb_tolerance: float | None = None,
        mmsb_draw: str | None = None,
        mmsb_stop_below: float | None = None,
        sbm_weight: float | None = None,
        sbm_observed_edges: str | None = None,
        sbm_communities: int | None = None,
        sbm_iterations: int | None = None,
        sbm_prior_strength: float | None = None,
        sbm_damping: float | None = None,
        sbm_block_prior: float | None = None,
        sbm_draw: str | None = None,
        sbm_stop_below: float | None = None,
        dcsbm_weight: float | None = None,
        dcsbm_observed_edges: str | None = None,
        dcsbm_communities: int | None = None,
        dcsbm_iterations: int | None = None,
        dcsbm_prior_strength: float | None = None,
        dcsbm_damping: float | None = None,
        dcsbm_block_prior: float | None = None,
        dcsbm_draw: str | None = None,
        dcsbm_stop_below: float | None = None,
        dcsbm_degree_prior: float | None = None,
        copying_weight: float | None = None,
        copying_observed_edges: str | None = None,
        copying_communities: int | None = None,
        copying_copy: float | None = None,
        copying_copies: float | None = None,
        copying_assignment: str | None = None,
        erase_drop_rate: float | None = None,
    ) -> None:
        """
        Parameters
        ----------
        network : str, default None
            the network. Default gcn (paper); allowed: gcn | chebnet | gat.
        graph_model : str, default None
            which graphs could have been observed: a model, or several joined by + and averaged. Default
            copying (measured: docs/results.md); allowed: observed, mmsbm, mmsb, sbm, dcsbm, copying, erase,
            auto, or several joined by +.
        preset : str, default None
            settings by name: default, published, published-linear, algorithm1 or robust
        random_state : Any, default 0
            source of all randomness: a whole number gives the same bits every time, also in the command
            (``--seed``), on processors of one class; ``None`` or a generator of NumPy draws one
        n_jobs : int, default None
            threads; ``None`` or -1 takes one per core. Results do not depend on it
        verbose : bool, default False
            shows a progress bar (tqdm where it is installed)
        graph : Dataset, default None
            a dataset whose nodes ``X`` names: ``fit(nodes, y)`` and ``predict(nodes)`` then take node
            numbers, so that cross-validation can share a graph out
        features_scaling : str, default None
            every row of the features divided by its sum (words), every column standardised, skewed ones after
            a logarithm (tables), plain z-scores, or nothing. Default by the kind of the features (by kind,
            measured: docs/data.md); allowed: unit_rows | standard | z_score | as_is.
        network_layers : int, default None
            layers with weights. Default 2 layers (Kipf and Welling (2017)); allowed: 1 to 64.
        network_hidden : int, default None
            units of each hidden layer, of each head for gat. Default 16 units (Kipf and Welling (2017); gat
            8: Veličković et al. (2018)); allowed: 1 to 65536.
        network_dropout : float, default None
            dropout of the inputs of each layer, of attention for gat. Default 0.5 probability (Kipf and
            Welling (2017); gat 0.6: Veličković et al. (2018)); allowed: from 0, below 1.
        network_learning_rate : float, default None
            step size of Adam. Default 0.01 (Kipf and Welling (2017); gat 0.005: Veličković et al. (2018));
            allowed: above 0, at most 1000000.
        network_weight_decay : float, default None
            L2 penalty: half of it times the squared weights, of the first layer but for gat. Default 0.0005
            (Kipf and Welling (2017)); allowed: 0 to 1000000.
        network_epochs : int, default None
            training steps of a plain network. Default 300 epochs (authors' comparison); allowed: 0 or more.
        network_patience : int | str, default None
            stop after so many epochs without a lower validation loss, and take the best weights. Default off
            (the paper uses none); allowed: off, or 1 or more.
        network_order : int, default None
            highest Chebyshev polynomial; chebnet only. Default 3 (Kipf and Welling (2017), table 3); allowed:
            1 to 64.
        network_heads : int, default None
            attention heads; gat only. Default 8 heads (Veličković et al. (2018)); allowed: 1 to 64.
        network_output_heads : int, default None
            attention heads of the last layer, averaged; gat only. Default 1 heads (Veličković et al. (2018));
            allowed: 1 to 64.
        schedule : str, default None
            order of inference, drawing and training: the authors' code, or Algorithm 1. Default published
            (authors' code); allowed: published | algorithm1.
        schedule_pretraining : int, default None
            training steps on the observed graph before the first draw. Default 201 epochs (201: authors'
            code; algorithm1 200: Kipf and Welling (2017)); allowed: 0 or more.
        schedule_draws : int, default None
            N_G, graphs drawn for each sample of the graph model's parameters. Default 150 graphs (measured:
            docs/ablations.md; the authors draw 99); allowed: 1 or more.
        schedule_averaged : int, default None
            how many of the last draws are averaged; published only. Default 45 graphs (30 of 99 draws:
            docs/ablations.md; the authors average 59); allowed: 1 or more.
        schedule_infer_every : int, default None
            training steps between two inferences; published only. Default 10 epochs (measured:
            docs/ablations.md; the authors infer every 20); allowed: 1 or more.
        schedule_samples : int, default None
            S, weights sampled for each graph; algorithm1 only. Default 10 weights (a choice of ours:
            docs/estimator.md); allowed: 1 or more.
        schedule_lambdas : int, default None
            V, samples of the graph model's parameters; algorithm1 only. Default 1 samples (paper: the
            maximum); allowed: 1 or more.
        schedule_graph_epochs : int, default None
            training steps on each drawn graph; algorithm1 only. Default 60 epochs (a choice of ours);
            allowed: 0 or more.
        schedule_weight_sampling : str, default None
            how weights are sampled for a graph: dropout masks of one network, networks trained on,
            preconditioned Langevin dynamics, fresh networks; algorithm1 only. Default masks (paper: Monte
            Carlo dropout); allowed: masks | retrain | sgld | restarts.
        schedule_sgld_step : float, default None
            step size of sgld. Default 0.0001 (a choice of ours); allowed: above 0, at most 1.
        schedule_sgld_temperature : float, default None
            temperature of sgld; 1 samples the posterior. Default 0.01 (a choice of ours); allowed: 0 to
            1000000.
        schedule_sgld_memory : float, default None
            share of the running mean of squared gradients, which preconditions sgld, that a step keeps.
            Default 0.99 share (Li et al. (2016)); allowed: 0 to 0.999999.
        schedule_sgld_floor : float, default None
            added to the root of that mean before it divides a step of sgld. Default 0.00001 (Li et al.
            (2016)); allowed: above 0.
        schedule_keep : int, default None
            weights kept for later predictions. Default 8 weights (a choice of ours: 0.7 MB on Cora); allowed:
            1 or more.
        belief_propagation_steps : int, default None
            steps of label propagation before a graph model starts; the paper has none. Default 5 steps
            (measured: docs/ablations.md); allowed: 0 or more.
        belief_self_weight : float, default None
            how many neighbours a node's own prediction counts for. Default 1.0 neighbours (copying 1:
            docs/ablations.md; others 2: docs/estimator.md); allowed: above 0, at most 1000000.
        belief_neighbour_agreement : float, default None
            exponent of the neighbour agreement, by which neighbours that contradict each other count less; 0
            counts all alike. Default 0.0 (copying 0: docs/ablations.md; others 1.5: docs/estimator.md);
            allowed: 0 to 100.
        belief_feature_weight : float, default None
            weight of the feature-only prediction (log-linear pooling); the paper has 0. Default 0.5 share
            (measured: docs/ablations.md); allowed: 0 to 1.
        average_evidence : float, default None
            held-out links whose evidence weighs the graph models: weight times exp(evidence score); 0 takes
            the weights given. Default 2.0 links (measured: docs/ablations.md); allowed: 0 or more.
        average_hidden_share : float, default None
            share of the links hidden from the models. Default 0.1 share (a choice of ours); allowed: above 0,
            at most 0.5.
        average_density_share : float, default None
            share of the graph's density in the probability of a link. Default 0.05 share (a choice of ours);
            allowed: above 0, at most 1.
        average_non_links : int, default None
            pairs drawn as an estimate of all without a link. Default 20000 pairs (a choice of ours); allowed:
            1 or more.
        links_doubted : str, default None
            edges whose P(spurious) is above one half: they stay, or are left out and the fit is done anew,
            which takes three times as long. Default kept (kept; preset robust leaves them out:
            docs/edges.md); allowed: kept | left_out.
        links_decoys : str, default None
            random edges that observed ones are compared with: between any two nodes, or from labelled nodes,
            as an attacker aims them. Default uniform (uniform: docs/edges.md; preset robust has aimed);
            allowed: uniform | aimed.
        links_decoy_share : float, default None
            decoys, as a share of the observed edges. Default 0.1 share (a choice of ours: docs/edges.md);
            allowed: above 0, at most 1.
        links_missing_share : float, default None
            share of the true edges that is assumed not to be observed: the prior of P(missing). Default 0.1
            share (a choice of ours); allowed: above 0, at most 0.9.
        mmsbm_weight : float, default None
            prior weight among several graph models. Default 1.0 (equal); allowed: above 0.
        mmsbm_observed_edges : str, default None
            observed edges are drawn anew with all others (paper), or stay and drawn ones are added. Default
            redrawn (mmsbm redrawn; others kept: docs/ablations.md); allowed: redrawn | kept.
        mmsbm_communities : int, default None
            K; communities start as the classes. Default the number of classes (the data); allowed: 1 to
            1048576.
        mmsbm_inference : str, default None
            how the posterior of the random-graph parameters is found. Default natural (natural: measured,
            docs/estimator.md); allowed: linear | minibatch | natural | langevin | variational.
        mmsbm_iterations : int, default None
            iterations of each inference; between samples for langevin. Default 2 iterations (natural 2 (near
            the network's prediction), langevin 100, else 200 (authors' code)); allowed: 1 or more.
        mmsbm_delta : float | str, default None
            link probability between communities; auto: the observed density between them. Default 0.0001
            probability (authors' code); allowed: auto, or above 0, at most 0.999999.
        mmsbm_eta : float, default None
            Beta(eta, eta) prior of the community strengths; at least 1 with beta_update em. Default 1.0
            (paper); allowed: above 0.
        mmsbm_alpha : float, default None
            Dirichlet(alpha) prior of the memberships. Default 1.0 (paper; variational and langevin 1/K:
            Gopalan et al. (2012)); allowed: above 0.
        mmsbm_rho : float, default None
            rate of the Gamma priors of phi and theta. Default 0.001 (paper); allowed: 0 or more.
        mmsbm_minibatch : int, default None
            n, nodes of a minibatch and non-neighbours sampled for each. Default 500 nodes (paper); allowed: 1
            or more.
        mmsbm_non_edge_share : float, default None
            share of the non-edges in a minibatch for theta. Default 0.01 share (paper); allowed: above 0, at
            most 1.
        mmsbm_eps_0 : float, default None
            step size eps_0 (t + tau)^-kappa. Default 1.0 (paper); allowed: above 0.
        mmsbm_tau : float, default None
            delay of the step size. Default 1024.0 iterations (paper); allowed: above 0.
        mmsbm_kappa : float, default None
            decay of the step size. Default 0.5 (paper); allowed: 0 to 1.
        mmsbm_first_step : int, default None
            t of the first iteration. Default 0 iterations (paper); allowed: 0 or more.
        mmsbm_scale_iterations : int, default None
            iterations of a first run from random that finds the row sums of phi and theta, which are then
            carried from inference to inference; 0 takes phi_scale and theta_scale; linear and minibatch only.
            Default 0 iterations (published 1000: authors' code); allowed: 0 or more.
        mmsbm_scale_step : float, default None
            factor on the steps of the first run, which count from 0. Default 10.0 (authors' code); allowed:
            above 0.
        mmsbm_rows : str, default None
            rows of phi that an iteration of linear moves: all, or n sampled ones (paper). Default all (no
            sampling variance); allowed: all | sampled.
        mmsbm_phi_scale : float, default None
            row sums of phi at the start; larger is a smaller step. Default 4.0 (authors' first run on Cora);
            allowed: above 0.
        mmsbm_theta_scale : float | str, default None
            row sums of theta at the start; auto: a step of the ascent is at most the EM update. Default auto
            (a rule of ours); allowed: auto, or above 0.
        mmsbm_beta_update : str, default None
            community strengths by gradient steps or in closed form. Default em (ascent (paper) for minibatch
            and langevin, else em); allowed: ascent | em.
        mmsbm_prior_strength : float, default None
            kappa of the prior around the start p: Dir(1 + kappa p_a) of natural, Dir(alpha + kappa p_a) of
            langevin and variational. Default 5.0 (5: measured with a prototype; langevin 20: docs/paper.md);
            allowed: 0 or more.
        mmsbm_damping : float, default None
            share of a natural step that is taken. Default 0.5 share (measured with a prototype); allowed:
            above 0, at most 1.
        mmsbm_tolerance : float, default None
            largest relative error of the closed form before it is replaced. Default 0.01 (measured on Cora);
            allowed: 0 or more.
        mmsbm_drift : str, default None
            the gradient of langevin. Default linear (no sampling variance); allowed: minibatch | linear.
        mmsbm_burn_in : int, default None
            iterations of langevin before its first sample. Default 1000 iterations (authors' first run);
            allowed: 0 or more.
        mmsbm_langevin_step : float, default None
            share of the way to its conditional mode that a first step of langevin goes; smaller has less
            bias. Default 0.05 share (the bias that halving it shows: docs/paper.md); allowed: above 0, at
            most 1.
        mmsbm_draw : str, default None
            graphs from the strongest community of each node, or from mixed memberships (paper). Default hard
            (authors' code); allowed: hard | mixed.
        mmsbm_stop_below : float, default None
            stop once no membership moves by as much; 0 runs all iterations. Default 0.0 (authors' code);
            allowed: 0 or more.
        mmsb_weight : float, default None
            prior weight among several graph models. Default 1.0 (equal); allowed: above 0.
        mmsb_observed_edges : str, default None
            observed edges are drawn anew with all others (paper), or stay and drawn ones are added. Default
            kept (mmsbm redrawn; others kept: docs/ablations.md); allowed: redrawn | kept.
        mmsb_communities : int, default None
            K; communities start as the classes. Default the number of classes (the data); allowed: 1 to
            1048576.
        mmsb_iterations : int, default None
            iterations of each inference. Default 3 iterations (near the network's prediction, as for mmsbm);
            allowed: 1 or more.
        mmsb_prior_strength : float, default None
            kappa of the prior Dir(1 + kappa p_a). Default 5.0 (as for mmsbm); allowed: 0 to 1000000.
        mmsb_damping : float, default None
            share of a natural step that is taken. Default 0.5 share (as for mmsbm); allowed: above 0, at most
            1.
        mmsb_block_prior : float, default None
            pseudo-pairs at the graph's density in every entry of B. Default 1.0 pairs (one: decides for empty
            communities alone); allowed: 0 or more.
        mmsb_tolerance : float, default None
            largest relative error of the closed form before small graphs get the exact sum. Default 0.01 (as
            for mmsbm); allowed: 0 or more.
        mmsb_draw : str, default None
            graphs from the strongest community of each node, or from mixed memberships. Default hard
            (authors' code); allowed: hard | mixed.
        mmsb_stop_below : float, default None
            stop once no membership moves by as much; 0 runs all iterations. Default 0.0 (as for mmsbm);
            allowed: 0 or more.
        sbm_weight : float, default None
            prior weight among several graph models. Default 1.0 (equal); allowed: above 0.
        sbm_observed_edges : str, default None
            observed edges are drawn anew with all others (paper), or stay and drawn ones are added. Default
            kept (mmsbm redrawn; others kept: docs/ablations.md); allowed: redrawn | kept.
        sbm_communities : int, default None
            K; blocks start as the classes. Default the number of classes (the data); allowed: 1 to 1048576.
        sbm_iterations : int, default None
            iterations of each inference. Default 3 iterations (near the network's prediction, as for mmsbm);
            allowed: 1 or more.
        sbm_prior_strength : float, default None
            how many times the prediction counts in the prior of a label. Default 5.0 (measured: docs/graph-
            models.md); allowed: 0 to 1000000.
        sbm_damping : float, default None
            share of the way to the best row that a visit takes. Default 0.5 share (as for mmsbm); allowed:
            above 0, at most 1.
        sbm_block_prior : float, default None
            pseudo-pairs at the graph's density in every entry of B. Default 1.0 pairs (one: decides for empty
            blocks alone); allowed: 0 or more.
        sbm_draw : str, default None
            graphs from the likeliest label of each node, or from labels sampled for every draw. Default hard
            (authors' code); allowed: hard | sampled.
        sbm_stop_below : float, default None
            stop once no probability moves by as much; 0 runs all iterations. Default 0.0 (as for mmsbm);
            allowed: 0 or more.
        dcsbm_weight : float, default None
            prior weight among several graph models. Default 1.0 (equal); allowed: above 0.
        dcsbm_observed_edges : str, default None
            observed edges are drawn anew with all others (paper), or stay and drawn ones are added. Default
            kept (mmsbm redrawn; others kept: docs/ablations.md); allowed: redrawn | kept.
        dcsbm_communities : int, default None
            K; blocks start as the classes. Default the number of classes (the data); allowed: 1 to 1048576.
        dcsbm_iterations : int, default None
            iterations of each inference. Default 3 iterations (near the network's prediction, as for mmsbm);
            allowed: 1 or more.
        dcsbm_prior_strength : float, default None
            how many times the prediction counts in the prior of a label. Default 5.0 (measured: docs/graph-
            models.md); allowed: 0 to 1000000.
        dcsbm_damping : float, default None
            share of the way to the best row that a visit takes. Default 0.5 share (as for mmsbm); allowed:
            above 0, at most 1.
        dcsbm_block_prior : float, default None
            pseudo-pairs at the graph's density in every entry of B. Default 1.0 pairs (one: decides for empty
            blocks alone); allowed: 0 or more.
        dcsbm_draw : str, default None
            graphs from the likeliest label of each node, or from labels sampled for every draw. Default hard
            (authors' code); allowed: hard | sampled.
        dcsbm_stop_below : float, default None
            stop once no probability moves by as much; 0 runs all iterations. Default 0.0 (as for mmsbm);
            allowed: 0 or more.
        dcsbm_degree_prior : float, default None
            links added to every degree when nodes are weighted, so that isolated nodes can be drawn some.
            Default 1.0 links (a choice of ours); allowed: 0 or more.
        copying_weight : float, default None
            prior weight among several graph models. Default 1.0 (equal); allowed: above 0.
        copying_observed_edges : str, default None
            observed edges are drawn anew with all others (paper), or stay and drawn ones are added. Default
            kept (mmsbm redrawn; others kept: docs/ablations.md); allowed: redrawn | kept.
        copying_communities : int, default None
            classes, or levels of a predicted number. Default the number of classes (the data); allowed: 1 to
            1048576.
        copying_copy : float, default None
            copy probability: that a node takes the neighbours of another of its class. Default 0.8
            probability (measured on citation graphs: docs/ablations.md); allowed: 0 to 1.
        copying_copies : float, default None
            copies per node: how many others a node takes the neighbours of; of 1.5 one always, another every
            second time. Default by the mean degree (as many as make about four neighbours, at least one:
            docs/ablations.md); allowed: 1 to 100.
        copying_assignment : str, default None
            class assignment: each node's most likely class, or one sampled at every inference. Default map
            (Regol et al. (2022)); allowed: map | sampled.
        erase_drop_rate : float, default None
            edge drop rate: that an observed edge is left out. Default 0.5 probability (the rate at which the
            paper drops inputs); allowed: 0 to 1.
        """
        self.network = network
        self.graph_model = graph_model
        self.preset = preset
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.graph = graph
        self.features_scaling = features_scaling
        self.network_layers = network_layers
        self.network_hidden = network_hidden
        self.network_dropout = network_dropout
        self.network_learning_rate = network_learning_rate
        self.network_weight_decay = network_weight_decay
        self.network_epochs = network_epochs
        self.network_patience = network_patience
        self.network_order = network_order
        self.network_heads = network_heads
        self.network_output_heads = network_output_heads
        self.schedule = schedule
        self.schedule_pretraining = schedule_pretraining
        self.schedule_draws = schedule_draws
        self.schedule_averaged = schedule_averaged
        self.schedule_infer_every = schedule_infer_every
        self.schedule_samples = schedule_samples
        self.schedule_lambdas = schedule_lambdas
        self.schedule_graph_epochs = schedule_graph_epochs
        self.schedule_weight_sampling = schedule_weight_sampling
        self.schedule_sgld_step = schedule_sgld_step
        self.schedule_sgld_temperature = schedule_sgld_temperature
        self.schedule_sgld_memory = schedule_sgld_memory
        self.schedule_sgld_floor = schedule_sgld_floor
        self.schedule_keep = schedule_keep
        self.belief_propagation_steps = belief_propagation_steps
        self.belief_self_weight = belief_self_weight
        self.belief_neighbour_agreement = belief_neighbour_agreement
        self.belief_feature_weight = belief_feature_weight
        self.average_evidence = average_evidence
        self.average_hidden_share = average_hidden_share
        self.average_density_share = average_density_share
        self.average_non_links = average_non_links
        self.links_doubted = links_doubted
        self.links_decoys = links_decoys
        self.links_decoy_share = links_decoy_share
        self.links_missing_share = links_missing_share
        self.mmsbm_weight = mmsbm_weight
        self.mmsbm_observed_edges = mmsbm_observed_edges
        self.mmsbm_communities = mmsbm_communities
        self.mmsbm_inference = mmsbm_inference
        self.mmsbm_iterations = mmsbm_iterations
        self.mmsbm_delta = mmsbm_delta
        self.mmsbm_eta = mmsbm_eta
        self.mmsbm_alpha = mmsbm_alpha
        self.mmsbm_rho = mmsbm_rho
        self.mmsbm_minibatch = mmsbm_minibatch
        self.mmsbm_non_edge_share = mmsbm_non_edge_share
        self.mmsbm_eps_0 = mmsbm_eps_0
        self.mmsbm_tau = mmsbm_tau
        self.mmsbm_kappa = mmsbm_kappa
        self.mmsbm_first_step = mmsbm_first_step
        self.mmsbm_scale_iterations = mmsbm_scale_iterations
        self.mmsbm_scale_step = mmsbm_scale_step
        self.mmsbm_rows = mmsbm_rows
        self.mmsbm_phi_scale = mmsbm_phi_scale
        self.mmsbm_theta_scale = mmsbm_theta_scale
        self.mmsbm_beta_update = mmsbm_beta_update
        self.mmsbm_prior_strength = mmsbm_prior_strength
        self.mmsbm_damping = mmsbm_damping
        self.mmsbm_tolerance = mmsbm_tolerance
        self.mmsbm_drift = mmsbm_drift
        self.mmsbm_burn_in = mmsbm_burn_in
        self.mmsbm_langevin_step = mmsbm_langevin_step
        self.mmsbm_draw = mmsbm_draw
        self.mmsbm_stop_below = mmsbm_stop_below
        self.mmsb_weight = mmsb_weight
        self.mmsb_observed_edges = mmsb_observed_edges
        self.mmsb_communities = mmsb_communities
        self.mmsb_iterations = mmsb_iterations
        self.mmsb_prior_strength = mmsb_prior_strength
        self.mmsb_damping = mmsb_damping
        self.mmsb_block_prior = mmsb_block_prior
        self.mmsb_tolerance = mmsb_tolerance
        self.mmsb_draw = mmsb_draw
        self.mmsb_stop_below = mmsb_stop_below
        self.sbm_weight = sbm_weight
        self.sbm_observed_edges = sbm_observed_edges
        self.sbm_communities = sbm_communities
        self.sbm_iterations = sbm_iterations
        self.sbm_prior_strength = sbm_prior_strength
        self.sbm_damping = sbm_damping
        self.sbm_block_prior = sbm_block_prior
        self.sbm_draw = sbm_draw
        self.sbm_stop_below = sbm_stop_below
        self.dcsbm_weight = dcsbm_weight
        self.dcsbm_observed_edges = dcsbm_observed_edges
        self.dcsbm_communities = dcsbm_communities
        self.dcsbm_iterations = dcsbm_iterations
        self.dcsbm_prior_strength = dcsbm_prior_strength
        self.dcsbm_damping = dcsbm_damping
        self.dcsbm_block_prior = dcsbm_block_prior
        self.dcsbm_draw = dcsbm_draw
        self.dcsbm_stop_below = dcsbm_stop_below
        self.dcsbm_degree_prior = dcsbm_degree_prior
        self.copying_weight = copying_weight
        self.copying_observed_edges = copying_observed_edges
        self.copying_communities = copying_communities
        self.copying_copy = copying_copy
        self.copying_copies = copying_copies
        self.copying_assignment = copying_assignment
        self.erase_drop_rate = erase_drop_rate
